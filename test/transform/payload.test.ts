import { describe, expect, it } from "vitest";
import { assistant, entry, message, toolResult, usage, user } from "../support/build-records.js";
import { HEADER, only, readEntries, readLines } from "../support/read-rows.js";

function payloadOf(record: unknown): unknown {
  const json = only(readEntries(record).entries)["payload_json"];
  return typeof json === "string" ? JSON.parse(json) : null;
}

describe("what no column holds", () => {
  it("is nothing for records that columns hold in full", () => {
    expect(payloadOf(user("a0000001", null))).toBeNull();
    expect(payloadOf(assistant("a0000001", null))).toBeNull();
    expect(payloadOf(toolResult("a0000001", null, "c1"))).toBeNull();
    expect(payloadOf(entry("model_change", "a0000001", null, { provider: "a", modelId: "b" }))).toBeNull();
  });

  it("is unknown fields, at their place in the record", () => {
    const record = {
      ...assistant("a0000001", null, { ttft: 120, usage: { ...usage(1), tier: "x" } }),
      extra: [1],
    };
    expect(payloadOf(record)).toEqual({ extra: [1], message: { ttft: 120, usage: { tier: "x" } } });
  });

  it("is values that their column can't take", () => {
    expect(payloadOf(message("a0000001", null, { role: "user", content: 42 }))).toEqual({
      message: { content: 42 },
    });
    const odd = assistant("a0000001", null, { model: { id: "x" }, durationMs: -1, stopReason: 7 });
    expect(payloadOf(odd)).toEqual({ message: { model: { id: "x" }, durationMs: -1, stopReason: 7 } });
  });

  it("is unknown blocks, and fields of known ones", () => {
    const content = [
      { type: "hologram", data: "x" },
      { type: "text", text: "done", citations: ["/doc"] },
      { type: "thinking", thinking: "", redacted: true, thinkingSignature: "zzzz" },
      "bare",
    ];
    const rows = readEntries(assistant("a0000001", null, { content }));
    expect(only(rows.messages)["unknown_block_count"]).toBe(2);
    expect(payloadOf(assistant("a0000001", null, { content }))).toEqual({
      message: {
        content: [
          { type: "hologram", data: "x" },
          { type: "text", citations: ["/doc"] },
          { type: "thinking", redacted: true },
          "bare",
        ],
      },
    });
  });

  it("is the whole record for unknown types, unknown roles and odd messages", () => {
    for (const record of [
      entry("plan_update", "a0000001", null, { plan: ["a"] }),
      message("a0000001", null, { role: "oracle", content: "42" }),
      entry("message", "a0000001", null, { message: null }),
    ]) {
      expect(payloadOf(record)).toEqual(record);
    }
  });

  it("shows the text of an unknown role all the same", () => {
    const rows = readEntries(message("a0000001", null, { role: "oracle", content: "42" }));
    expect([rows.messages[0]?.["role"], rows.messages[0]?.["text"], rows.entries[0]?.["role"]]).toEqual([
      "oracle",
      "42",
      "oracle",
    ]);
  });

  it("is details, data, sections, notes and replacements", () => {
    const details = { diff: "-a\n+b" };
    expect(payloadOf(toolResult("a0000001", null, "c1", { details }))).toEqual({ message: { details } });
    const custom = { customType: "state", data: { n: 1 } };
    expect(payloadOf(entry("custom", "a0000001", null, custom))).toEqual(custom);
    const sections = { rules: "be brief", tools: null };
    expect(payloadOf(message("a0000001", null, { role: "system", content: "", sections }))).toEqual({
      message: { sections },
    });
    const edit = { targetId: "a0000000", replacement: { content: "edited" } };
    expect(payloadOf(entry("context_edit", "a0000001", null, edit))).toEqual({
      replacement: edit.replacement,
    });
    const warm = { kind: "cache_warm", provider: "a", model: "b", usage: usage(1), note: "x" };
    expect(payloadOf(entry("usage", "a0000001", null, warm))).toEqual({ note: "x" });
  });

  it("has sizes in the place of images and signatures, but leaves arguments alone", () => {
    const image = { type: "image", data: "AAAA", mimeType: "image/png" };
    const call = {
      type: "toolCall",
      id: "c9",
      name: "draw",
      arguments: { image },
      thoughtSignature: "12345",
    };
    const details = { results: [{ messages: [{ role: "assistant", content: [image, call] }] }] };
    expect(payloadOf(toolResult("a0000001", null, "c1", { content: [image], details }))).toEqual({
      message: {
        content: [{ type: "image", mimeType: "image/png", bytes: 3 }],
        details: {
          results: [
            {
              messages: [
                {
                  role: "assistant",
                  content: [
                    { type: "image", mimeType: "image/png", bytes: 3 },
                    { ...call, thoughtSignature: { bytes: 5 } },
                  ],
                },
              ],
            },
          ],
        },
      },
    });
  });

  it("keeps fields that name an object's prototype, and they do no harm", () => {
    const line = JSON.stringify(user("a0000001", null)).replace(
      '"message":{',
      '"__proto__":{"role":"x"},"constructor":1,"message":{"__proto__":{"content":"y"},',
    );
    const rows = readLines([HEADER, line]);
    expect(rows.entries[0]?.["payload_json"]).toBe(
      '{"__proto__":{"role":"x"},"constructor":1,"message":{"__proto__":{"content":"y"}}}',
    );
    expect(rows.messages[0]?.["text"]).toBe("go on");
  });

  it("stands for what is nested too deeply to be written again", () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const line = `{"type":"plan_update","id":"a0000001","parentId":null,"plan":${deep}}`;
    expect(payloadOf(line)).toEqual({ unkept: "too deep or too large" });
  });

  it("is not made under --content none", () => {
    const rows = readLines([HEADER, entry("plan_update", "a0000001", null, { plan: ["a"] })], "none");
    expect(rows.entries[0]?.["payload_json"]).toBeNull();
  });

  it("is kept of the header", () => {
    const rows = readLines([{ ...HEADER, git: { branch: "main" } }]);
    expect(only(rows.sessions)["header_json"]).toBe('{"git":{"branch":"main"}}');
    expect(only(readLines([HEADER]).sessions)["header_json"]).toBeNull();
  });
});
