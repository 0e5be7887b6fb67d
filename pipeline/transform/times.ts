import { instantOf } from "./fields.js";

const ZERO = 0x30;
const NINE = 0x39;
const RAW_TIME_CHARS = 64;
const ISO_TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)?(Z|[+-]\d\d:?\d\d)?$/;

/** Time of an entry: `at` in milliseconds since 1970, `raw` as written where that is no ISO instant in range. */
export interface EntryTime {
  readonly at: number | null;
  readonly raw: string | null;
}

const NO_TIME: EntryTime = { at: null, raw: null };

export function readTime(value: unknown): EntryTime {
  if (typeof value === "string") {
    const at = parseIso(value);
    return at === null ? { at: null, raw: value.slice(0, RAW_TIME_CHARS) } : { at, raw: null };
  }
  if (value === undefined || value === null) return NO_TIME;
  return { at: instantOf(value), raw: rawText(value) };
}

/**
 * `Date.parse` alone takes much that is no ISO time, and reads a time without a zone in the machine's own,
 * which would make rows depend on where they were loaded.
 */
function parseIso(text: string): number | null {
  const usual = parseUsual(text);
  if (usual !== null) return instantOf(usual);
  const parts = ISO_TIME.exec(text);
  if (parts === null) return null;
  const isZoned = parts[1] !== undefined || text.length === 10;
  return instantOf(Date.parse(isZoned ? text : `${text}Z`));
}

const USUAL = "0000-00-00T00:00:00.000Z";
/** Every month has this day: later ones are left to `Date.parse`. */
const SAFE_DAY = 28;

/** The form that Pi writes, digit by digit: it stands in every record. */
function parseUsual(text: string): number | null {
  if (text.length !== USUAL.length) return null;
  for (let index = 0; index < USUAL.length; index += 1) {
    const unit = text.charCodeAt(index);
    const isFine = USUAL.charCodeAt(index) === ZERO ? isDigit(unit) : unit === USUAL.charCodeAt(index);
    if (!isFine) return null;
  }
  const month = two(text, 5);
  const day = two(text, 8);
  const isSafe =
    month >= 1 && month <= 12 && day >= 1 && day <= SAFE_DAY && two(text, 11) <= 23 && two(text, 14) <= 59;
  if (!isSafe || two(text, 17) > 59) return null;
  const year = two(text, 0) * 100 + two(text, 2);
  if (year < 100) return null;
  const ms = two(text, 20) * 10 + text.charCodeAt(22) - ZERO;
  return Date.UTC(year, month - 1, day, two(text, 11), two(text, 14), two(text, 17), ms);
}

function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= NINE;
}

function two(text: string, index: number): number {
  return (text.charCodeAt(index) - ZERO) * 10 + text.charCodeAt(index + 1) - ZERO;
}

function rawText(value: unknown): string {
  return (typeof value === "number" ? String(value) : JSON.stringify(value)).slice(0, RAW_TIME_CHARS);
}
