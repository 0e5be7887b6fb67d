import { describe, expect, it } from "vitest";
import { assistant, at, calling, toolResult, user } from "../support/build-records.js";
import { HEADER, only, pick, readEntries, readLines } from "../support/read-rows.js";

const TEXT = [{ type: "text", text: "ok" }];

describe("tool calls", () => {
  it("have one row with their result", () => {
    const rows = readEntries(
      calling("a0000001", null, "c1", { path: "src/a.ts", n: 1 }),
      toolResult("a0000003", "a0000001", "c1"),
    );
    expect(rows.tool_calls).toEqual([
      {
        session_key: rows.sessions[0]?.["session_key"],
        entry_seq: 1,
        call_index: 0,
        entry_id: "a0000001",
        file_id: "f1",
        record_key: rows.entries[0]?.["record_key"],
        load_id: 7,
        tool_call_id: "c1",
        parent_tool_call_id: null,
        tool_name: "bash",
        namespace: null,
        arguments_json: '{"path":"src/a.ts","n":1}',
        arguments_bytes: 25,
        target_path: "src/a.ts",
        has_result: true,
        result_entry_seq: 2,
        is_error: false,
        error_text: null,
        result_text: "ok",
        result_chars: 2,
        result_image_count: 0,
        status: "ok",
        started_at: Date.parse(at(1)),
        duration_ms: 2000,
      },
    ]);
  });

  it("take the written duration before the times", () => {
    const rows = readEntries(
      calling("a0000001", null, "c1"),
      toolResult("a0000003", "a0000001", "c1", { durationMs: 950 }),
    );
    expect(only(rows.tool_calls)["duration_ms"]).toBe(950);
  });

  it("show the start of a failed result", () => {
    const rows = readEntries(
      calling("a0000001", null, "c1"),
      toolResult("a0000002", "a0000001", "c1", {
        isError: true,
        content: [{ type: "text", text: "x".repeat(3_000) }],
      }),
    );
    const row = only(rows.tool_calls);
    expect([row["status"], row["is_error"], String(row["error_text"]).length, row["result_chars"]]).toEqual([
      "error",
      true,
      2_000,
      3_000,
    ]);
  });

  it("are without a result at the end of the file", () => {
    const rows = readEntries(calling("a0000001", null, "c1"));
    expect(
      pick(rows.tool_calls, "status", "has_result", "is_error", "result_entry_seq", "duration_ms"),
    ).toEqual([
      { status: "no_result", has_result: false, is_error: null, result_entry_seq: null, duration_ms: null },
    ]);
  });

  it("count from 0 in their entry, and each takes its own result", () => {
    const blocks = ["c1", "c2"].map((id) => ({ type: "toolCall", id, name: id, arguments: {} }));
    const rows = readEntries(
      assistant("a0000001", null, { content: [{ type: "text", text: "both" }, ...blocks] }),
      toolResult("a0000002", "a0000001", "c2"),
      toolResult("a0000003", "a0000002", "c1"),
    );
    expect(pick(rows.tool_calls, "tool_call_id", "call_index", "result_entry_seq")).toEqual([
      { tool_call_id: "c2", call_index: 1, result_entry_seq: 2 },
      { tool_call_id: "c1", call_index: 0, result_entry_seq: 3 },
    ]);
  });

  it.each([
    [{ path: "a" }, "a"],
    [{ file_path: "b" }, "b"],
    [{ filePath: "c" }, "c"],
    [{ notebook_path: "d" }, "d"],
    [{ path: 1, file_path: "e" }, "e"],
    [{ command: "ls" }, null],
    ["text", null],
  ])("name the target of %j", (args, target) => {
    expect(only(readEntries(calling("a0000001", null, "c1", args)).tool_calls)["target_path"]).toBe(target);
  });
});

describe("results of calls whose id comes again", () => {
  it("go to the nearest ancestor, turn by turn", () => {
    const rows = readEntries(
      calling("a0000001", null, "c1"),
      toolResult("a0000002", "a0000001", "c1"),
      calling("a0000003", "a0000002", "c1"),
      toolResult("a0000004", "a0000003", "c1"),
    );
    expect(pick(rows.tool_calls, "entry_seq", "result_entry_seq")).toEqual([
      { entry_seq: 1, result_entry_seq: 2 },
      { entry_seq: 3, result_entry_seq: 4 },
    ]);
  });

  it("go to the call of their branch, not to the latest one", () => {
    const rows = readEntries(
      user("a0000001", null),
      calling("a0000002", "a0000001", "c1"),
      calling("a0000003", "a0000001", "c1"),
      toolResult("a0000004", "a0000002", "c1"),
    );
    expect(pick(rows.tool_calls, "entry_seq", "result_entry_seq")).toEqual([
      { entry_seq: 2, result_entry_seq: 4 },
      { entry_seq: 3, result_entry_seq: null },
    ]);
  });

  it("go to the latest open call where none is an ancestor", () => {
    const rows = readEntries(calling("a0000001", null, "c1"), toolResult("a0000002", "gone", "c1"));
    expect(only(rows.tool_calls)["result_entry_seq"]).toBe(2);
  });

  it("stay messages where the call has its result already", () => {
    const rows = readEntries(
      calling("a0000001", null, "c1"),
      toolResult("a0000002", "a0000001", "c1"),
      toolResult("a0000003", "a0000001", "c1"),
    );
    expect(only(rows.tool_calls)["result_entry_seq"]).toBe(2);
    expect(rows.messages.map((row) => row["text"])).toEqual([null, null, "ok"]);
  });

  it("come in the order of the calls where one reply uses an id twice", () => {
    const call = { type: "toolCall", id: "c1", name: "bash", arguments: {} };
    const rows = readEntries(
      assistant("a0000001", null, { content: [call, call] }),
      toolResult("a0000002", "a0000001", "c1"),
      toolResult("a0000003", "a0000002", "c1"),
    );
    expect(pick(rows.tool_calls, "call_index", "result_entry_seq")).toEqual([
      { call_index: 0, result_entry_seq: 2 },
      { call_index: 1, result_entry_seq: 3 },
    ]);
  });
});

describe("calls that wait too long", () => {
  it("are written without their result, which follows by itself", () => {
    const large = { text: "x".repeat(5 * 1024 * 1024) };
    const rows = readEntries(
      calling("a0000001", null, "c1", large),
      calling("a0000002", "a0000001", "c2", large),
      toolResult("a0000003", "a0000002", "c1"),
      toolResult("a0000004", "a0000003", "c2"),
    );
    expect(pick(rows.tool_calls, "tool_call_id", "status")).toEqual([
      { tool_call_id: "c1", status: "no_result" },
      { tool_call_id: "c2", status: "ok" },
    ]);
    expect(rows.late_results).toEqual([
      {
        file_id: "f1",
        entry_seq: 1,
        call_index: 0,
        result_entry_seq: 3,
        is_error: false,
        error_text: null,
        result_text: "ok",
        result_chars: 2,
        result_image_count: 0,
        status: "ok",
        duration_ms: 2000,
      },
    ]);
    expect(rows.messages.slice(2).map((row) => row["text"])).toEqual([null, null]);
  });
});

describe("nested calls", () => {
  const nestedCalls = {
    calls: [
      { id: "c1/1", name: "bash", arguments: { path: "src" }, status: "ok", durationMs: 12 },
      { id: "c1/2", name: "read", argumentsBytes: 9000, status: "error", durationMs: 3, error: "ENOENT" },
      { id: "c1/3", name: "bash", arguments: {}, status: "unfinished", extra: 1 },
    ],
    complete: false,
  };

  it("stand on the result of the call that made them", () => {
    const rows = readEntries(
      calling("a0000001", null, "c1"),
      toolResult("a0000002", "a0000001", "c1", { nestedCalls, content: TEXT }),
    );
    const names = ["entry_seq", "call_index", "parent_tool_call_id", "tool_call_id", "status", "is_error"];
    const more = [
      "arguments_bytes",
      "target_path",
      "duration_ms",
      "error_text",
      "result_entry_seq",
      "started_at",
    ];
    expect(pick(rows.tool_calls.slice(1), ...names, ...more)).toEqual([
      {
        entry_seq: 2,
        call_index: 0,
        parent_tool_call_id: "c1",
        tool_call_id: "c1/1",
        status: "ok",
        is_error: false,
        arguments_bytes: 14,
        target_path: "src",
        duration_ms: 12,
        error_text: null,
        result_entry_seq: 2,
        started_at: Date.parse(at(1)),
      },
      {
        entry_seq: 2,
        call_index: 1,
        parent_tool_call_id: "c1",
        tool_call_id: "c1/2",
        status: "error",
        is_error: true,
        arguments_bytes: 9000,
        target_path: null,
        duration_ms: 3,
        error_text: "ENOENT",
        result_entry_seq: 2,
        started_at: Date.parse(at(1)),
      },
      {
        entry_seq: 2,
        call_index: 2,
        parent_tool_call_id: "c1",
        tool_call_id: "c1/3",
        status: "unfinished",
        is_error: null,
        arguments_bytes: 2,
        target_path: null,
        duration_ms: null,
        error_text: null,
        result_entry_seq: null,
        started_at: Date.parse(at(1)),
      },
    ]);
    expect(rows.entries[1]?.["payload_json"]).toBe(
      '{"message":{"nestedCalls":{"complete":false,"calls":[{"extra":1}]}}}',
    );
  });
});

describe("under --content none", () => {
  it("arguments keep their size alone", () => {
    const rows = readLines([HEADER, calling("a0000001", null, "c1", { path: "src" })], "none");
    expect(pick(rows.tool_calls, "arguments_json", "arguments_bytes")).toEqual([
      { arguments_json: null, arguments_bytes: 14 },
    ]);
  });
});
