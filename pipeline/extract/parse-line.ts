import { isAscii, isUtf8, transcode } from "node:buffer";
import type { RawRecord, RejectReason } from "../flow.js";
import { describeJsonProblem } from "./json-problem.js";
import type { LineLimits } from "./line-limits.js";
import { isTooDeep, isTooDense } from "./line-limits.js";

/** Below this the calls cost more than they save. */
const SHORT_LINE_BYTES = 512;

const SHOWN_CHARS = 200;
/** A UTF-16 unit takes three bytes of UTF-8 at most; one more keeps a cut character out of what is shown. */
const SHOWN_BYTES = SHOWN_CHARS * 3 + 4;

export interface LineProblem {
  readonly reason: RejectReason;
  /** What is wrong, with nothing of the line's text. */
  readonly message: string;
  /** True where more bytes at the end could make a record of it. */
  readonly mayBeUnfinished: boolean;
}

export type ParsedLine =
  | { readonly kind: "record"; readonly record: RawRecord }
  | { readonly kind: "blank" }
  | { readonly kind: "problem"; readonly problem: LineProblem };

const BLANK: ParsedLine = { kind: "blank" };

/** Reads one line, without its end, as a JSON object. Bytes that are no UTF-8 become U+FFFD. */
export function parseLine(bytes: Buffer, start: number, end: number, limits: LineLimits): ParsedLine {
  if (start === end) return BLANK;
  if (isTooDense(bytes, start, end, limits)) {
    const message = `more than ${limits.structureCount} values in one line`;
    return problem("line_too_dense", message, false);
  }
  const text = decode(bytes, start, end);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof RangeError) return problem("invalid_json", "nested too deeply", false);
    return text.trim() === "" ? BLANK : problem("invalid_json", describeJsonProblem(text), true);
  }
  if (!isRecord(value)) return problem("not_an_object", `${kindOf(value)} instead of an object`, true);
  // Each level takes two brackets, so short lines need no look at their values.
  if (end - start > 2 * limits.depth && isTooDeep(value, limits.depth))
    return problem("invalid_json", `nested deeper than ${limits.depth}`, false);
  return { kind: "record", record: value };
}

/**
 * As `toString` does, in half the time where the line is not plain ASCII: V8 decodes UTF-8 unit by unit,
 * `transcode` in wide steps. It takes valid UTF-8 only.
 */
function decode(bytes: Buffer, start: number, end: number): string {
  if (end - start < SHORT_LINE_BYTES) return bytes.toString("utf8", start, end);
  const line = bytes.subarray(start, end);
  if (isAscii(line)) return line.toString("latin1");
  return isUtf8(line) ? transcode(line, "utf8", "utf16le").toString("utf16le") : line.toString("utf8");
}

/** First 200 characters of a line; a surrogate pair that stands across the end is left out. */
export function startOfText(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString("utf8", start, Math.min(end, start + SHOWN_BYTES));
  const last = text.charCodeAt(SHOWN_CHARS - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? SHOWN_CHARS - 1 : SHOWN_CHARS);
}

function problem(reason: RejectReason, message: string, mayBeUnfinished: boolean): ParsedLine {
  return { kind: "problem", problem: { reason, message, mayBeUnfinished } };
}

function isRecord(value: unknown): value is RawRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
