import { describe, expect, it } from "vitest";
import { createSessionTransform } from "../../pipeline/transform/transform.js";
import { assistant, user } from "../support/build-records.js";
import { memorySinks } from "../support/memory-sinks.js";
import { factsOf, HEADER, only, pick, readEntries, readLines } from "../support/read-rows.js";

const EVENTS = [
  HEADER,
  { type: "agent_start" },
  { type: "turn_start" },
  { type: "message_start", message: { role: "user", content: "go on" } },
  { type: "message_update", message: { role: "assistant" }, assistantMessageEvent: { type: "text_delta" } },
  { type: "message_end", message: { role: "assistant" } },
  { type: "agent_end", messages: [] },
];

describe("what a file is", () => {
  it("is a session from its header on", () => {
    const rows = readEntries(user("a0000001", null), assistant("a0000002", "a0000001"));
    expect(pick(rows.files, "kind", "record_count", "header_count", "skip_reason")).toEqual([
      { kind: "session", record_count: 2, header_count: 1, skip_reason: null },
    ]);
    expect(rows.entries.length).toBe(2);
  });

  it("is a session with a header alone", () => {
    const rows = readEntries();
    expect(only(rows.files)["kind"]).toBe("session");
    expect(pick(rows.sessions, "session_id", "record_count", "leaf_entry_id", "leaf_entry_seq")).toEqual([
      { session_id: "s0000001", record_count: 0, leaf_entry_id: null, leaf_entry_seq: null },
    ]);
  });

  it("is no session without a header in ten lines, and is not read on", () => {
    const { sinks, rows } = memorySinks();
    const transform = createSessionTransform({ fileId: "f1", path: "a", loadId: 7, content: "full" }, sinks);
    const answers = Array.from({ length: 11 }, (_, index) =>
      transform.record(user("a0000001", null), { lineNumber: index + 1, byteOffset: 0, lineBytes: 1 }),
    );
    transform.finish(factsOf({ lineCount: 10 }));
    expect(answers.map(Number)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
    expect(pick(rows.files, "kind", "skip_reason", "pi_is_comparable")).toEqual([
      {
        kind: "not_a_session",
        skip_reason: "no header in the first ten lines",
        pi_is_comparable: false,
      },
    ]);
    expect(rows.entries).toEqual([]);
  });

  it("gives no rejects of a file that is no session", () => {
    const rows = readLines(["not json", { kind: "log" }]);
    expect(pick(rows.files, "kind", "reject_count")).toEqual([{ kind: "not_a_session", reject_count: 0 }]);
    expect(rows.rejects).toEqual([]);
  });

  it("takes records before a late header for entries", () => {
    const rows = readLines([user("a0000001", null), "half a li", HEADER, assistant("a0000002", "a0000001")]);
    expect(pick(rows.entries, "entry_id", "entry_seq", "line_number")).toEqual([
      { entry_id: "a0000001", entry_seq: 1, line_number: 1 },
      { entry_id: "a0000002", entry_seq: 2, line_number: 4 },
    ]);
    expect(pick(rows.rejects, "line_number", "reason", "text_start")).toEqual([
      { line_number: 2, reason: "invalid_json", text_start: "half a li" },
    ]);
    expect(only(rows.files)["pi_is_comparable"]).toBe(false);
  });

  it("knows the files of Pi's embedding harness", () => {
    const rows = readLines([
      { v: 4, kind: "header", id: "x" },
      { v: 4, kind: "entry" },
    ]);
    expect(only(rows.files)["skip_reason"]).toBe("harness v4 repository");
  });

  it("tells a captured event stream from a session, though it has a header", () => {
    const rows = readLines(EVENTS);
    expect(pick(rows.files, "kind", "skip_reason")).toEqual([
      { kind: "not_a_session", skip_reason: "event stream" },
    ]);
    expect(rows.sessions).toEqual([]);
  });

  it("does not take a version 1 session for an event stream", () => {
    const { version: _, ...header } = HEADER;
    const rows = readLines([
      header,
      { type: "message", timestamp: HEADER.timestamp, message: { role: "user", content: "go on" } },
    ]);
    expect(only(rows.files)["kind"]).toBe("session");
  });

  it("keeps an unknown record without an id, whatever its name, once there are entries", () => {
    const rows = readEntries({ type: "status_update", busy: true }, user("a0000001", null));
    expect(pick(rows.entries, "entry_type", "has_entry_id")).toEqual([
      { entry_type: "status_update", has_entry_id: false },
      { entry_type: "message", has_entry_id: true },
    ]);
  });

  it("is empty with blank lines alone", () => {
    const { sinks, rows } = memorySinks();
    const transform = createSessionTransform({ fileId: "f1", path: "a", loadId: 7, content: "full" }, sinks);
    transform.finish(factsOf({ lineCount: 3, blankLineCount: 3 }));
    expect(pick(rows.files, "kind", "skip_reason", "line_count")).toEqual([
      { kind: "empty", skip_reason: "empty", line_count: 3 },
    ]);
  });
});

describe("a second header", () => {
  it("is counted and is no entry", () => {
    const rows = readEntries(user("a0000001", null), HEADER, assistant("a0000002", "a0000001"));
    expect(only(rows.files)["header_count"]).toBe(2);
    expect(pick(rows.entries, "entry_seq", "line_number")).toEqual([
      { entry_seq: 1, line_number: 2 },
      { entry_seq: 2, line_number: 4 },
    ]);
  });
});

describe("rejects", () => {
  it("take no position among the entries", () => {
    const rows = readEntries(user("a0000001", null), "{broken", assistant("a0000002", "a0000001"));
    expect(rows.entries.map((row) => row["entry_seq"])).toEqual([1, 2]);
    expect(pick(rows.rejects, "line_number", "message", "load_id")).toEqual([
      { line_number: 3, message: "not valid JSON", load_id: 7 },
    ]);
  });
});
