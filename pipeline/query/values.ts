import {
  DuckDBArrayValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBUnionValue,
  type DuckDBValue,
} from "@duckdb/node-api";

/**
 * A value as JSON text. Whole numbers and decimals of any size keep all digits, which `JSON.stringify`
 * cannot do; instants and days are ISO 8601; NaN and infinities, which JSON has not, are null.
 */
export function jsonText(value: DuckDBValue, isFloat = false): string {
  if (value === null) return "null";
  if (typeof value === "bigint" || value instanceof DuckDBDecimalValue) return value.toString();
  if (typeof value === "number")
    return Number.isFinite(value) ? String(isFloat ? shortFloat(value) : value) : "null";
  if (typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) {
    return `[${value.items.map((item) => jsonText(item)).join(",")}]`;
  }
  if (value instanceof DuckDBStructValue) return objectText(Object.entries(value.entries));
  if (value instanceof DuckDBMapValue) {
    return objectText(value.entries.map(({ key, value: item }) => [plainText(key), item]));
  }
  if (value instanceof DuckDBUnionValue) return jsonText(value.value);
  return JSON.stringify(plainText(value));
}

function objectText(entries: readonly (readonly [string, DuckDBValue])[]): string {
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${jsonText(item)}`).join(",")}}`;
}

/** A value as bare text, NULL as an empty one. Times as in JSON, lists and structs as JSON. */
export function plainText(value: DuckDBValue, isFloat = false): string {
  if (value === null) return "";
  if (typeof value === "number") return String(isFloat ? shortFloat(value) : value);
  if (typeof value !== "object") return String(value);
  if (value instanceof DuckDBTimestampTZValue) return instantText(value);
  if (isTimestamp(value)) return isoTime(value.toString());
  if (value instanceof DuckDBDateValue) return value.isFinite ? value.toString() : infinityText(value.days);
  if (isNested(value)) return jsonText(value);
  return String(value);
}

/** The value's own `toString` would use the machine's zone. */
function instantText(value: DuckDBTimestampTZValue): string {
  if (!value.isFinite) return infinityText(Number(value.micros));
  const text = isoTime(new DuckDBTimestampValue(value.micros).toString());
  return text.includes("T") ? `${text}Z` : `${text} UTC`;
}

function infinityText(sign: number): string {
  return sign > 0 ? "infinity" : "-infinity";
}

/** Milliseconds, or finer where there is more to show. Years before Christ stay as DuckDB writes them. */
function isoTime(text: string): string {
  const parts = /^(\d{4,6}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?$/.exec(text);
  if (parts === null) return text;
  const [, day, time, fraction = ""] = parts;
  return `${day}T${time}.${fraction.padEnd(3, "0")}`;
}

function isTimestamp(value: object): boolean {
  return (
    value instanceof DuckDBTimestampValue ||
    value instanceof DuckDBTimestampSecondsValue ||
    value instanceof DuckDBTimestampMillisecondsValue ||
    value instanceof DuckDBTimestampNanosecondsValue
  );
}

function isNested(value: object): boolean {
  return (
    value instanceof DuckDBListValue ||
    value instanceof DuckDBArrayValue ||
    value instanceof DuckDBStructValue ||
    value instanceof DuckDBMapValue ||
    value instanceof DuckDBUnionValue
  );
}

/** The shortest number that a 32-bit float rounds to, 0.1 instead of 0.10000000149011612. */
function shortFloat(value: number): number {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}
