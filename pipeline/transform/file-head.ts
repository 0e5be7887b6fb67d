import type { RawRecord } from "../flow.js";
import { entryTypes } from "./entry-types/index.js";
import { asRecord } from "./fields.js";
import { isHeader } from "./header.js";

/** How far into a file its header may stand. */
export const HEAD_LINES = 10;

const EVENT_TYPE = /^[a-z]+(?:_[a-z]+)*_(?:start|update|end|changed)$/;

export const SKIP_REASON = {
  EMPTY: "empty",
  NO_HEADER: "no header in the first ten lines",
  HARNESS: "harness v4 repository",
  EVENTS: "event stream",
} as const;

/** What the records so far say of a file; `null` while they leave it open. */
export type Verdict = { readonly isSession: true } | { readonly isSession: false; readonly reason: string };

/**
 * Judges a file by the records of its first lines. A header alone is not enough: `pi --mode json` prints one
 * too, and then events, which have neither id nor time. `isEnd`: no more lines are to come, or to be looked at.
 */
export function judgeHead(records: readonly RawRecord[], isEnd: boolean): Verdict | null {
  const hasHeader = records.some(isHeader);
  if (hasHeader && records.some(isKnownEntry)) return { isSession: true };
  if (records[0]?.["v"] === 4 && records[0]["kind"] === "header") {
    return { isSession: false, reason: SKIP_REASON.HARNESS };
  }
  if (!isEnd) return null;
  if (records.some(isEvent)) return { isSession: false, reason: SKIP_REASON.EVENTS };
  return hasHeader ? { isSession: true } : { isSession: false, reason: SKIP_REASON.NO_HEADER };
}

function isKnownEntry(record: RawRecord): boolean {
  const type = record["type"];
  if (typeof type !== "string" || !entryTypes.has(type)) return false;
  return (
    typeof record["id"] === "string" ||
    record["timestamp"] !== undefined ||
    asRecord(record["message"]) !== null
  );
}

function isEvent(record: RawRecord): boolean {
  const type = record["type"];
  return (
    typeof type === "string" &&
    EVENT_TYPE.test(type) &&
    record["id"] === undefined &&
    record["timestamp"] === undefined
  );
}
