import { type Meaning, type Meanings, NOTES } from "./case-meanings.js";
import { type ProofRow, queryAll } from "./proof-warehouse.js";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type Expectation = Readonly<Record<string, Json>>;

/**
 * What the warehouse says to each key of an expectation, in the expectation's own shape. A key without a
 * meaning gives a text that says so. Where several answers may stand and one is met, the whole choice is
 * given back.
 */
export async function answersTo(
  expectation: Expectation,
  meanings: Meanings,
  dbPath: string,
): Promise<Record<string, Json>> {
  const keys = Object.keys(expectation).filter((key) => !NOTES.has(key));
  const known = keys.flatMap((key) => {
    const meaning = meanings[key];
    if (meaning === undefined) return [];
    return [{ key, meaning: typeof meaning === "string" ? { sql: meaning } : meaning }];
  });
  const rows = await queryAll(
    dbPath,
    known.map(({ meaning }) => meaning.sql),
  );
  const answers: Record<string, Json> = {};
  for (const key of keys) answers[key] = "no query for this key";
  for (const [index, { key, meaning }] of known.entries()) {
    const expected = expectation[key] ?? null;
    answers[key] = shapeLike(expected, rows[index] ?? [], meaning);
  }
  return answers;
}

/** The expectation without its notes, numbers written in one way. */
export function withoutNotes(expectation: Expectation): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(expectation)
      .filter(([key]) => !NOTES.has(key))
      .map(([key, value]) => [key, plain(value)]),
  );
}

function shapeLike(expected: Json, rows: readonly ProofRow[], meaning: Meaning): Json {
  if (meaning.isChoice === true) return chosen(expected, rows);
  if (isList(expected)) return rows.map((row) => (isFlat(expected) ? only(row) : plain(row)));
  if (isObject(expected)) {
    const [first] = rows;
    if (first !== undefined && "key" in first)
      return Object.fromEntries(rows.map((row) => [String(row["key"]), plain(row["value"])]));
    return plain(first ?? null);
  }
  return rows[0] === undefined ? null : only(rows[0]);
}

/** The expectation itself where the answer is among what it allows. */
function chosen(expected: Json, rows: readonly ProofRow[]): Json {
  const [row] = rows;
  if (row === undefined) return null;
  if (isObject(expected)) {
    return Object.fromEntries(Object.entries(expected).map(([key, value]) => [key, oneOf(value, row[key])]));
  }
  return oneOf(expected, Object.values(row)[0]);
}

function oneOf(allowed: Json, found: unknown): Json {
  const answer = plain(found);
  if (!isList(allowed)) return answer;
  return allowed.map(plain).some((one) => JSON.stringify(one) === JSON.stringify(answer))
    ? plain(allowed)
    : answer;
}

function only(row: ProofRow): Json {
  return plain(Object.values(row)[0]);
}

function isFlat(values: readonly Json[]): boolean {
  return values.length > 0 && values.every((value) => !isObject(value));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Numbers as their shortest digits, whether they come as text or not; the rest as it is. */
export function plain(value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
  }
  const text = String(value);
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, "") : text;
}
