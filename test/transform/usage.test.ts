import { describe, expect, it } from "vitest";
import { assistant, entry, toolResult, usage, user } from "../support/build-records.js";
import { type MemoryRow } from "../support/memory-sinks.js";
import { only, pick, readEntries } from "../support/read-rows.js";

function usageOf(value: unknown): MemoryRow {
  return only(readEntries(assistant("a0000001", null, { usage: value })).usage);
}

function costOf(cost: unknown) {
  const row = usageOf({ input: 1, output: 1, cost });
  return [row["cost_status"], row["cost_usd"], row["cost_raw"]];
}

describe("costs", () => {
  it.each([
    [{ total: 0.25 }, "recorded", 0.25, null],
    [{ total: 1e-12 }, "recorded", 1e-12, null],
    [{ total: 999_999.99 }, "recorded", 999_999.99, null],
    [0.25, "recorded", 0.25, null],
    [{ total: 0 }, "zero", 0, null],
    [undefined, "missing", null, null],
    [null, "missing", null, null],
    [{}, "missing", null, null],
    [{ total: null }, "missing", null, null],
    [{ total: -2809 }, "invalid", null, "-2809"],
    [{ total: 1_000_000 }, "invalid", null, "1000000"],
    [{ total: "0.5" }, "invalid", null, '"0.5"'],
    [{ total: { usd: 1 } }, "invalid", null, '{"usd":1}'],
    ["free", "invalid", null, '"free"'],
    [[], "invalid", null, "[]"],
  ])("%j is %s", (cost, status, usd, raw) => {
    expect(costOf(cost)).toEqual([status, usd, raw]);
  });

  it("are invalid beyond what a number can hold", () => {
    const line = JSON.stringify(assistant("a0000001", null)).replace('"total":0.25', '"total":1e999');
    const row = only(readEntries(line).usage);
    expect([row["cost_status"], row["cost_raw"]]).toEqual(["invalid", "Infinity"]);
  });

  it("have parts that need not add up, and stand alone", () => {
    const cost = {
      input: 0.5,
      output: -1,
      cacheRead: "x",
      cacheWrite: null,
      total: 7,
      totalFromProvider: true,
    };
    const rows = readEntries(assistant("a0000001", null, { usage: { cost } }));
    const names = ["input", "output", "cache_read", "cache_write"].map((part) => `${part}_cost_usd`);
    expect(pick(rows.usage, "cost_usd", ...names, "is_total_from_provider")).toEqual([
      {
        cost_usd: 7,
        input_cost_usd: 0.5,
        output_cost_usd: null,
        cache_read_cost_usd: null,
        cache_write_cost_usd: null,
        is_total_from_provider: true,
      },
    ]);
    expect(rows.entries[0]?.["payload_json"]).toBe(
      '{"message":{"usage":{"cost":{"output":-1,"cacheRead":"x"}}}}',
    );
  });
});

describe("token counts", () => {
  it("keep subsets and the provider's total beside the four counts", () => {
    const row = usageOf({
      input: 1,
      output: 500,
      cacheRead: 3,
      cacheWrite: 600,
      cacheWrite1h: 600,
      reasoning: 450,
      totalTokens: 9,
    });
    expect(only(pick([row], ...TOKENS))).toEqual({
      input_tokens: 1,
      output_tokens: 500,
      cache_read_tokens: 3,
      cache_write_tokens: 600,
      cache_write_1h_tokens: 600,
      reasoning_tokens: 450,
      total_tokens: 9,
      tokens_raw: null,
    });
  });

  it("are NULL where they are no whole number, and raw beside it", () => {
    const row = usageOf({ input: "12", output: 1.5, cacheRead: -1, cacheWrite: 2 ** 53, totalTokens: null });
    expect(only(pick([row], ...TOKENS))).toEqual({
      input_tokens: null,
      output_tokens: null,
      cache_read_tokens: null,
      cache_write_tokens: null,
      cache_write_1h_tokens: null,
      reasoning_tokens: null,
      total_tokens: null,
      tokens_raw: '{"input":"12","output":1.5,"cacheRead":-1,"cacheWrite":9007199254740992}',
    });
  });

  it("are unknown and not odd where they are absent", () => {
    expect(usageOf({ cost: { total: 1 } })["tokens_raw"]).toBeNull();
  });
});

const TOKENS = [
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "cache_write_1h_tokens",
  "reasoning_tokens",
  "total_tokens",
  "tokens_raw",
];

describe("carriers", () => {
  it("are replies, without a usage object too", () => {
    const rows = readEntries(assistant("a0000001", null, { usage: undefined, stopReason: "aborted" }));
    expect(
      pick(rows.usage, "source", "usage_seq", "request_count", "cost_status", "input_tokens", "is_failed"),
    ).toEqual([
      {
        source: "assistant",
        usage_seq: 0,
        request_count: 1,
        cost_status: "missing",
        input_tokens: null,
        is_failed: true,
      },
    ]);
  });

  it("are tool results, which name no model", () => {
    const record = toolResult("a0000001", null, "c1", {
      usage: usage(0.5),
      details: { sessionFile: "/s/c.jsonl" },
    });
    const names = [
      "source",
      "usage_seq",
      "request_count",
      "model_id",
      "tool_name",
      "child_session_path",
      "cost_usd",
    ];
    expect(pick(readEntries(record).usage, ...names)).toEqual([
      {
        source: "tool_result",
        usage_seq: 0,
        request_count: 0,
        model_id: null,
        tool_name: "bash",
        child_session_path: "/s/c.jsonl",
        cost_usd: 0.5,
      },
    ]);
  });

  it("are usage entries", () => {
    const record = entry("usage", "a0000001", null, {
      kind: "cache_warm",
      provider: "a",
      model: "b",
      usage: usage(1),
    });
    expect(
      pick(readEntries(record).usage, "source", "usage_kind", "provider", "model_id", "request_count"),
    ).toEqual([
      { source: "usage_entry", usage_kind: "cache_warm", provider: "a", model_id: "b", request_count: 0 },
    ]);
  });

  it("are summaries, with the model in use on their branch", () => {
    const rows = readEntries(
      user("a0000001", null),
      assistant("a0000002", "a0000001"),
      entry("model_change", "a0000003", "a0000002", { provider: "zai", modelId: "glm-5" }),
      entry("compaction", "a0000004", "a0000003", { summary: "s", usage: usage(2) }),
      entry("branch_summary", "a0000005", "a0000002", { summary: "s", usage: usage(3) }),
      entry("branch_summary", "a0000006", null, { summary: "s", usage: usage(4) }),
      entry("compaction", "a0000007", "a0000006", { summary: "s" }),
    );
    expect(pick(rows.usage.slice(1), "source", "provider", "model_id", "cost_usd")).toEqual([
      { source: "compaction", provider: "zai", model_id: "glm-5", cost_usd: 2 },
      { source: "branch_summary", provider: "anthropic", model_id: "claude-opus-5", cost_usd: 3 },
      { source: "branch_summary", provider: null, model_id: null, cost_usd: 4 },
    ]);
  });
});
