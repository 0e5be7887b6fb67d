import { describe, expect, it } from "vitest";
import { assistant, at, entry, toolResult, usage, user } from "../support/build-records.js";
import { HEADER, only, pick, readEntries, readLines } from "../support/read-rows.js";

function sessionOf(header: unknown, ...records: unknown[]) {
  return only(readLines([header, ...records]).sessions);
}

describe("the row of a session", () => {
  it("has the header's facts", () => {
    expect(pick([sessionOf({ ...HEADER, parentSession: "/s/old.jsonl" })], ...HEADER_COLUMNS)).toEqual([
      {
        session_id: "s0000001",
        format_version: 3,
        project_path: "/home/ada/shop",
        project_name: "shop",
        parent_session_path: "/s/old.jsonl",
        header_at: Date.parse(HEADER.timestamp),
        started_at: Date.parse(HEADER.timestamp),
        ended_at: null,
      },
    ]);
  });

  it("has a key made of id, time and folder alone", () => {
    const key = sessionOf(HEADER)["session_key"];
    expect(key).toMatch(/^[0-9a-f]{24}$/);
    expect(sessionOf({ ...HEADER, extra: 1 }, user("a1", null))["session_key"]).toBe(key);
    expect(sessionOf(HEADER)["base_session_key"]).toBe(key);
    const others = [{ id: "s2" }, { timestamp: at(1) }, { cwd: "/home/ada" }, { cwd: undefined }];
    const keys = others.map((fields) => sessionOf({ ...HEADER, ...fields })["session_key"]);
    expect(new Set([key, ...keys]).size).toBe(5);
  });

  it.each([
    ["C:\\Users\\ada\\shop", "shop"],
    ["/home/ada/shop/", "shop"],
    ["/", "/"],
  ])("calls %s %s", (cwd, name) => {
    expect(sessionOf({ ...HEADER, cwd })["project_name"]).toBe(name);
  });

  it("is of version 1 without a version, and takes its word for the parent", () => {
    const { version: _, ...header } = HEADER;
    const row = sessionOf({ ...header, branchedFrom: "/s/old.jsonl" });
    expect([row["format_version"], row["parent_session_path"]]).toEqual([1, "/s/old.jsonl"]);
  });

  it("starts with the first entry that is not older than the header", () => {
    const forked = { ...HEADER, timestamp: at(10) };
    const row = sessionOf(
      forked,
      user("a0000001", null),
      user("a0000012", "a0000001"),
      user("a0000011", null),
    );
    expect([row["started_at"], row["ended_at"]]).toEqual([Date.parse(at(12)), Date.parse(at(12))]);
  });

  it("has the last name of the file, which an empty one clears", () => {
    const names = (...values: (string | undefined)[]) =>
      sessionOf(HEADER, ...values.map((name, index) => entry("session_info", `a${index}`, null, { name })))[
        "name"
      ];
    expect(names("first", "second")).toBe("second");
    expect(names("first", "")).toBeNull();
    expect(names("first", undefined)).toBeNull();
  });
});

const HEADER_COLUMNS = [
  "session_id",
  "format_version",
  "project_path",
  "project_name",
  "parent_session_path",
  "header_at",
  "started_at",
  "ended_at",
];

describe("Pi's own totals", () => {
  it("count every entry of the file and every kind of usage", () => {
    const rows = readEntries(
      user("a1", null),
      assistant("a2", "a1", { usage: usage(0.1) }),
      assistant("a2", "a1", { usage: usage(0.2) }),
      toolResult("a3", "a2", "c1", { usage: usage(0.4), details: { results: [{ usage: { cost: 8 } }] } }),
      entry("compaction", "a4", "a3", { summary: "s", usage: usage(1) }),
      entry("branch_summary", "a5", "a1", { summary: "s", usage: usage(2) }),
      entry("usage", "a6", "a5", { kind: "cache_warm", usage: usage(4) }),
    );
    expect(pick(rows.files, ...TOTALS)).toEqual([
      {
        pi_input_tokens: 600,
        pi_output_tokens: 60,
        // In file order, as Pi adds them.
        pi_cost_usd: 0.1 + 0.2 + 0.4 + 1 + 2 + 4,
        pi_user_message_count: 1,
        pi_assistant_message_count: 2,
        pi_tool_result_count: 1,
        pi_message_count: 4,
        pi_is_comparable: true,
      },
    ]);
  });

  it("are not comparable where Pi fails on a reply, or finds no number", () => {
    for (const odd of [undefined, { input: "1", output: 1 }, { ...usage(1), cost: undefined }]) {
      const rows = readEntries(assistant("a1", null, { usage: odd }));
      expect(only(rows.files)["pi_is_comparable"]).toBe(false);
    }
  });
});

const TOTALS = [
  "pi_input_tokens",
  "pi_output_tokens",
  "pi_cost_usd",
  "pi_user_message_count",
  "pi_assistant_message_count",
  "pi_tool_result_count",
  "pi_message_count",
  "pi_is_comparable",
];
