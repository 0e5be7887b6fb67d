import type { RawRecord, RowSinks } from "../flow.js";
import { asBoolean, asRecord, emptyLeftover, type Leftover, leftoverOf, shape, withPart } from "./fields.js";
import { toJson } from "./payload.js";

const RAW_VALUE_CHARS = 64;
/** Costs from here on are nonsense (Pi has written negative and huge sentinels), not money. */
const COST_LIMIT_USD = 1_000_000;

const USAGE_SHAPE = shape({
  input: "kept",
  output: "kept",
  cacheRead: "kept",
  cacheWrite: "kept",
  cacheWrite1h: "kept",
  reasoning: "kept",
  totalTokens: "kept",
  cost: "kept",
});
const COST_SHAPE = shape({
  input: "kept",
  output: "kept",
  cacheRead: "kept",
  cacheWrite: "kept",
  total: "kept",
  totalFromProvider: "boolean",
});

type UsageColumns = RowSinks["usage"]["columns"];

/** True where a usage object says anything of tokens or money. */
export function hasUsage(usage: RawRecord | null): usage is RawRecord {
  if (usage === null) return false;
  if (costTotalOf(usage["cost"]) !== null) return true;
  return ["input", "output", "cacheRead", "cacheWrite"].some((name) => typeof usage[name] === "number");
}

/**
 * The one reading of a usage object, for replies, tool results, sub-agents, summaries and usage entries
 * (design rule 7). A missing object gives a row of unknown tokens and missing cost.
 */
export function putUsage(columns: UsageColumns, usage: RawRecord | null): void {
  if (usage === null) {
    columns.cost_status.put("missing");
    return;
  }
  const raw: RawTokens = { values: null };
  columns.input_tokens.put(tokensOf(usage, "input", raw));
  columns.output_tokens.put(tokensOf(usage, "output", raw));
  columns.cache_read_tokens.put(tokensOf(usage, "cacheRead", raw));
  columns.cache_write_tokens.put(tokensOf(usage, "cacheWrite", raw));
  columns.cache_write_1h_tokens.put(tokensOf(usage, "cacheWrite1h", raw));
  columns.reasoning_tokens.put(tokensOf(usage, "reasoning", raw));
  columns.total_tokens.put(tokensOf(usage, "totalTokens", raw));
  if (raw.values !== null) {
    columns.tokens_raw.put(toJson(raw.values));
    columns.invalid_token_count.put(Object.keys(raw.values).length);
  }
  putCost(columns, usage["cost"]);
}

/** Fields of a usage object that no column holds. */
export function usageLeftover(usage: RawRecord | null): Leftover | null {
  if (usage === null) return null;
  const cost = asRecord(usage["cost"]);
  const left = leftoverOf(usage, USAGE_SHAPE);
  return cost === null ? left : withPart(left, "cost", costLeftover(cost));
}

interface RawTokens {
  values: Leftover | null;
}

function tokensOf(usage: RawRecord, name: string, raw: RawTokens): number | null {
  const value = usage[name];
  if (value === undefined || value === null) return null;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  raw.values ??= emptyLeftover();
  raw.values[name] = rawValue(value);
  return null;
}

function putCost(columns: UsageColumns, cost: unknown): void {
  const parts = asRecord(cost);
  putTotal(columns, parts === null ? cost : parts["total"]);
  if (parts === null) return;
  columns.input_cost_usd.put(partOf(parts["input"]));
  columns.output_cost_usd.put(partOf(parts["output"]));
  columns.cache_read_cost_usd.put(partOf(parts["cacheRead"]));
  columns.cache_write_cost_usd.put(partOf(parts["cacheWrite"]));
  columns.is_total_from_provider.put(asBoolean(parts["totalFromProvider"]));
}

function putTotal(columns: UsageColumns, total: unknown): void {
  if (total === undefined || total === null) {
    columns.cost_status.put("missing");
  } else if (isCost(total)) {
    columns.cost_usd.put(total);
    columns.cost_status.put(total > 0 ? "recorded" : "zero");
  } else {
    columns.cost_status.put("invalid");
    columns.cost_raw.put(rawText(total));
  }
}

function costTotalOf(cost: unknown): number | null {
  const total = asRecord(cost)?.["total"] ?? cost;
  return typeof total === "number" ? total : null;
}

function costLeftover(cost: RawRecord): Leftover | null {
  let left = leftoverOf(cost, COST_SHAPE);
  for (const name of ["input", "output", "cacheRead", "cacheWrite"]) {
    if (cost[name] !== undefined && cost[name] !== null && !isCost(cost[name])) {
      left = withPart(left, name, rawValue(cost[name]));
    }
  }
  return left;
}

function partOf(value: unknown): number | null {
  return isCost(value) ? value : null;
}

function isCost(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < COST_LIMIT_USD;
}

/** A value as it can stand in JSON: infinite numbers have no JSON, long ones are cut. */
function rawValue(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  const json = toJson(value);
  return json.length > RAW_VALUE_CHARS ? json.slice(0, RAW_VALUE_CHARS) : value;
}

function rawText(value: unknown): string {
  const text = typeof value === "number" ? String(value) : toJson(value);
  return text.slice(0, RAW_VALUE_CHARS);
}
