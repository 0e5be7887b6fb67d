import type { RawRecord } from "../flow.js";

const MAX_INTEGER = 2_147_483_647;

export function asRecord(value: unknown): RawRecord | null {
  return isRecord(value) ? value : null;
}

function isRecord(value: unknown): value is RawRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function asString(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export function asBoolean(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

export function asWhole(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : null;
}

/** Whole number from 0 that an INTEGER column can hold. */
export function asPosition(value: unknown): number | null {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_INTEGER
    ? value
    : null;
}

/** Milliseconds, rounded; null for what is no length of time. */
export function asDuration(value: unknown): number | null {
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER
    ? Math.round(value)
    : null;
}

/**
 * What a column can take of a field. `kept` fields are read in full elsewhere, or their parts are.
 */
export type FieldKind =
  | "string"
  | "whole"
  | "duration"
  | "boolean"
  | "instant"
  | "record"
  | "content"
  | "kept";

export type Shape = ReadonlyMap<string, FieldKind>;

export function shape(fields: Readonly<Record<string, FieldKind>>): Shape {
  return new Map(Object.entries(fields));
}

/** Parts of a record that no column holds, in the record's own form. */
export type Leftover = Record<string, unknown>;

export function emptyLeftover(): Leftover {
  // Without a prototype a field named __proto__ is a field like any other.
  const leftover: Leftover = Object.create(null);
  return leftover;
}

/**
 * Fields of a record that are unknown, or whose value their column can't take. Null for a known field means
 * absent and leaves nothing.
 */
export function leftoverOf(record: RawRecord, known: Shape): Leftover | null {
  let left: Leftover | null = null;
  // Parsed JSON inherits no enumerable field, and this is the quickest way over its own.
  for (const key in record) {
    const kind = known.get(key);
    if (kind !== undefined && isTaken(record[key], kind)) continue;
    left ??= emptyLeftover();
    left[key] = record[key];
  }
  return left;
}

export function withPart(left: Leftover | null, key: string, part: unknown): Leftover | null {
  if (part === null || part === undefined) return left;
  const all = left ?? emptyLeftover();
  all[key] = part;
  return all;
}

function isTaken(value: unknown, kind: FieldKind): boolean {
  if (value === null) return true;
  switch (kind) {
    case "string":
      return typeof value === "string";
    case "whole":
      return Number.isSafeInteger(value);
    case "duration":
      return asDuration(value) !== null;
    case "boolean":
      return typeof value === "boolean";
    case "instant":
      return instantOf(value) !== null;
    case "record":
      return isRecord(value);
    case "content":
      return typeof value === "string" || Array.isArray(value);
    case "kept":
      return true;
  }
}

const FIRST_INSTANT_MS = Date.UTC(1970, 0, 2);
const END_OF_INSTANTS_MS = Date.UTC(2100, 0, 1);

/** Milliseconds since 1970 if it is a number between 1970-01-02 and 2099-12-31, else null. */
export function instantOf(value: unknown): number | null {
  return typeof value === "number" && value >= FIRST_INSTANT_MS && value < END_OF_INSTANTS_MS
    ? Math.floor(value)
    : null;
}
