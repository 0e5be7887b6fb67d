import { instantOf } from "./fields.js";

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
  const parts = ISO_TIME.exec(text);
  if (parts === null) return null;
  const isZoned = parts[1] !== undefined || text.length === 10;
  return instantOf(Date.parse(isZoned ? text : `${text}Z`));
}

function rawText(value: unknown): string {
  return (typeof value === "number" ? String(value) : JSON.stringify(value)).slice(0, RAW_TIME_CHARS);
}
