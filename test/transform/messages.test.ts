import { describe, expect, it } from "vitest";
import { assistant, at, calling, entry, message, toolResult, user } from "../support/build-records.js";
import { only, pick, readEntries } from "../support/read-rows.js";

function messageOf(record: unknown) {
  return only(readEntries(record).messages);
}

function columns(record: unknown, ...names: string[]) {
  return only(pick([messageOf(record)], ...names));
}

describe("user messages", () => {
  it("join their text blocks", () => {
    const content = [
      { type: "text", text: "first" },
      { type: "text", text: "second" },
    ];
    expect(columns(user("a0000001", null, content), "role", "text", "text_chars", "prompt")).toEqual({
      role: "user",
      text: "first\nsecond",
      text_chars: 12,
      prompt: "first\nsecond",
    });
  });

  it("have no text and no prompt with images alone", () => {
    const content = [{ type: "image", data: "AAAA", mimeType: "image/png" }];
    expect(columns(user("a0000001", null, content), "text", "prompt", "image_count", "image_bytes")).toEqual({
      text: null,
      prompt: null,
      image_count: 1,
      image_bytes: 3,
    });
  });

  it("show a skill call as it was typed and keep the whole text", () => {
    const text = '<skill name="review" location="/s/review/SKILL.md">\nRules.\n</skill>\n\nthe basket page';
    expect(columns(user("a0000001", null, text), "text", "prompt", "skill_name")).toEqual({
      text,
      prompt: "/skill:review the basket page",
      skill_name: "review",
    });
  });
});

describe("replies", () => {
  it("carry what Pi says of the request", () => {
    const record = assistant("a0000005", null, {
      content: [
        { type: "thinking", thinking: "hm", thinkingSignature: "abcd" },
        { type: "text", text: "done", textSignature: "ef" },
      ],
      responseModel: "claude-opus-5-1",
      responseId: "msg_1",
      rawStopReason: "end_turn",
      thinkingLevel: "high",
      durationMs: 1200.4,
    });
    expect(
      columns(
        record,
        ..."thinking thinking_chars signature_bytes block_count provider model_id response_model response_id".split(
          " ",
        ),
        ..."raw_stop_reason thinking_level duration_ms is_reply is_failed api stop_reason".split(" "),
      ),
    ).toEqual({
      thinking: "hm",
      thinking_chars: 2,
      signature_bytes: 6,
      block_count: 2,
      provider: "anthropic",
      model_id: "claude-opus-5",
      response_model: "claude-opus-5-1",
      response_id: "msg_1",
      raw_stop_reason: "end_turn",
      thinking_level: "high",
      duration_ms: 1200,
      is_reply: true,
      is_failed: false,
      api: "anthropic-messages",
      stop_reason: "stop",
    });
  });

  it("took the time between their two clocks where none is written", () => {
    const record = { ...assistant("a0000005", null), timestamp: at(12) };
    expect(columns(record, "duration_ms")).toEqual({ duration_ms: 7000 });
    const backwards = { ...assistant("a0000005", null), timestamp: at(2) };
    expect(columns(backwards, "duration_ms")).toEqual({ duration_ms: null });
  });

  it.each([
    ["stop", true, false],
    ["length", true, false],
    ["vibes", true, false],
    ["error", false, true],
    ["aborted", false, true],
    ["deferred", false, false],
    ["pending", false, false],
  ])("that end in %s: reply %s, failed %s", (stopReason, isReply, isFailed) => {
    expect(columns(assistant("a0000001", null, { stopReason }), "is_reply", "is_failed")).toEqual({
      is_reply: isReply,
      is_failed: isFailed,
    });
  });

  it("are none without content", () => {
    expect(columns(assistant("a0000001", null, { content: [] }), "is_reply")).toEqual({ is_reply: false });
  });

  it("have a class and a normalised message only where they failed", () => {
    const failed = assistant("a0000001", null, {
      content: [],
      stopReason: "error",
      errorMessage: "429 rate limited, retry in 12s",
    });
    const names = ["error_class", "error_message_normalized", "error_message"];
    expect(columns(failed, ...names)).toEqual({
      error_class: "rate_limit",
      error_message_normalized: "429 rate limited, retry in <n>",
      error_message: "429 rate limited, retry in 12s",
    });
    const fine = assistant("a0000001", null, { errorMessage: "429 rate limited" });
    expect(columns(fine, ...names)).toEqual({
      error_class: null,
      error_message_normalized: null,
      error_message: "429 rate limited",
    });
  });
});

describe("tool results", () => {
  it("leave their text to the call of the same file", () => {
    const rows = readEntries(calling("a0000001", null, "c1"), toolResult("a0000002", "a0000001", "c1"));
    expect(
      pick(rows.messages.slice(1), "role", "text", "text_chars", "tool_call_id", "tool_name", "is_error"),
    ).toEqual([
      {
        role: "toolResult",
        text: null,
        text_chars: 2,
        tool_call_id: "c1",
        tool_name: "bash",
        is_error: false,
      },
    ]);
    expect(rows.entries[1]?.["tool_call_id"]).toBe("c1");
  });

  it("keep their text where the call is not in the file", () => {
    expect(columns(toolResult("a0000002", null, "c1"), "text")).toEqual({ text: "ok" });
  });

  it("name the file with the whole output", () => {
    const record = toolResult("a0000002", null, "c1", { details: { fullOutputPath: "/tmp/out.log" } });
    expect(columns(record, "full_output_path")).toEqual({ full_output_path: "/tmp/out.log" });
  });
});

describe("shell commands of the user", () => {
  const fields = {
    role: "bashExecution",
    command: "make",
    output: "boom",
    cancelled: false,
    truncated: false,
  };
  const names = ["text", "command", "exit_code", "is_cancelled", "is_excluded_from_context"];

  it("have an exit code", () => {
    expect(columns(message("a0000001", null, { ...fields, exitCode: 2 }), ...names)).toEqual({
      text: "boom",
      command: "make",
      exit_code: 2,
      is_cancelled: false,
      is_excluded_from_context: false,
    });
  });

  it("have none when cancelled", () => {
    const record = message("a0000001", null, { ...fields, cancelled: true, excludeFromContext: true });
    expect(columns(record, ...names)).toEqual({
      text: "boom",
      command: "make",
      exit_code: null,
      is_cancelled: true,
      is_excluded_from_context: true,
    });
  });
});

describe("other entries with words or settings", () => {
  it("are summaries", () => {
    const compaction = entry("compaction", "a0000001", null, {
      summary: "so far",
      firstKeptEntryId: "a0000000",
      tokensBefore: 9000,
      fromHook: true,
    });
    const names = ["role", "text", "first_kept_entry_id", "tokens_before", "is_from_extension"];
    expect(columns(compaction, ...names)).toEqual({
      role: "compactionSummary",
      text: "so far",
      first_kept_entry_id: "a0000000",
      tokens_before: 9000,
      is_from_extension: true,
    });
    const summary = entry("branch_summary", "a0000001", null, { summary: "left", fromId: "root" });
    expect(columns(summary, "role", "text", "from_entry_id", "is_from_extension")).toEqual({
      role: "branchSummary",
      text: "left",
      from_entry_id: "root",
      is_from_extension: false,
    });
  });

  it("are labels, which an empty text clears", () => {
    const names = ["role", "text", "target_entry_id", "label", "has_label"];
    const set = entry("label", "a0000001", null, { targetId: "a0000000", label: "good" });
    expect(columns(set, ...names)).toEqual({
      role: null,
      text: null,
      target_entry_id: "a0000000",
      label: "good",
      has_label: true,
    });
    const cleared = entry("label", "a0000001", null, { targetId: "a0000000", label: "" });
    expect(columns(cleared, "label", "has_label")).toEqual({ label: null, has_label: false });
  });

  it("are label hashes that a label made anew shares", () => {
    const label = { targetId: "a0000000", label: "good" };
    const rows = readEntries(
      entry("label", "a0000001", null, label),
      entry("label", "a0000002", null, label),
    );
    expect(rows.entries[0]?.["label_hash"]).toMatch(/^[0-9a-f]{16}$/);
    expect(rows.entries[1]?.["label_hash"]).toBe(rows.entries[0]?.["label_hash"]);
  });

  it("are names, models, thinking levels, context edits and messages of extensions", () => {
    const rows = readEntries(
      entry("session_info", "a0000001", null, { name: "Basket" }),
      entry("model_change", "a0000002", "a0000001", { provider: "zai", modelId: "glm-5" }),
      entry("thinking_level_change", "a0000003", "a0000002", { thinkingLevel: "max" }),
      entry("context_edit", "a0000004", "a0000003", { targetId: "a0000001", replacement: null }),
      entry("custom_message", "a0000005", "a0000004", { customType: "note", content: "look", display: true }),
    );
    const names = ["entry_type", "role", "text", "has_label", "provider", "model_id", "thinking_level"];
    const more = ["target_entry_id", "is_omission", "custom_type", "is_displayed"];
    const told = pick(rows.messages, ...names, ...more).map((row) =>
      Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
    );
    expect(told).toEqual([
      { entry_type: "session_info", text: "Basket", has_label: true },
      { entry_type: "model_change", provider: "zai", model_id: "glm-5" },
      { entry_type: "thinking_level_change", thinking_level: "max" },
      { entry_type: "context_edit", target_entry_id: "a0000001", is_omission: true },
      { entry_type: "custom_message", role: "custom", text: "look", custom_type: "note", is_displayed: true },
    ]);
  });

  it("are neither extension state, usage entries nor unknown types", () => {
    const rows = readEntries(
      entry("custom", "a0000001", null, { customType: "state" }),
      entry("usage", "a0000002", null, { kind: "cache_warm" }),
      entry("plan_update", "a0000003", null, {}),
    );
    expect(rows.messages).toEqual([]);
    expect(rows.entries.map((row) => row["entry_type"])).toEqual(["custom", "usage", "plan_update"]);
  });

  it("name the first kept entry of a version 1 compaction by its id", () => {
    const rows = readEntries(
      user("a0000001", null),
      user("a0000002", "a0000001"),
      entry("compaction", "a0000003", "a0000002", { summary: "s", firstKeptEntryIndex: 2 }),
      entry("compaction", "a0000004", "a0000003", { summary: "s", firstKeptEntryIndex: 0 }),
    );
    expect(rows.messages.slice(2).map((row) => row["first_kept_entry_id"])).toEqual(["a0000002", null]);
  });
});
