import type { RawRecord } from "../flow.js";
import { asRecord } from "./fields.js";

/**
 * What Pi's own `/session` says of a file (0.86 and later, pi-format section 9): every entry of the file,
 * copies and abandoned branches included. Doubles are added in file order, as Pi does, so sums agree to the bit.
 */
export interface PiTotals {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  costUsd: number;
  userMessages: number;
  assistantMessages: number;
  toolCalls: number;
  toolResults: number;
  messages: number;
  /** False once Pi itself would fail or come to no number. */
  isComparable: boolean;
}

export function startPiTotals(): PiTotals {
  return {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    costUsd: 0,
    userMessages: 0,
    assistantMessages: 0,
    toolCalls: 0,
    toolResults: 0,
    messages: 0,
    isComparable: true,
  };
}

/** Adds a usage that must be there: Pi fails where a reply has none. */
export function addPiUsage(totals: PiTotals, usage: unknown): void {
  const record = asRecord(usage) ?? missing(totals);
  totals.input += numberOf(totals, record["input"]);
  totals.output += numberOf(totals, record["output"]);
  totals.cacheRead += numberOf(totals, record["cacheRead"]);
  totals.cacheWrite += numberOf(totals, record["cacheWrite"]);
  const cost = asRecord(record["cost"]) ?? missing(totals);
  totals.costUsd += numberOf(totals, cost["total"]);
}

/** Adds the usage of a tool result, summary or usage entry, which may be absent. */
export function addOptionalPiUsage(totals: PiTotals, usage: unknown): void {
  if (usage !== undefined && usage !== null) addPiUsage(totals, usage);
}

const NOTHING: RawRecord = {};

function missing(totals: PiTotals): RawRecord {
  totals.isComparable = false;
  return NOTHING;
}

function numberOf(totals: PiTotals, value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  totals.isComparable = false;
  return 0;
}
