/**
 * Physical types, by the name DuckDB and Parquet use for them. Only types that every reader of our
 * Parquet handles are here (no unsigned, nested, interval or JSON types).
 */
export type ColumnType =
  | "varchar"
  | "bigint"
  | "integer"
  | "double"
  | "decimal(18,9)"
  | "boolean"
  | "date"
  | "timestamptz";

/** What a column may reveal. `--content none` drops every column of class `text` and keeps the rest. */
export type ColumnClass = "number" | "name" | "path" | "text";

/**
 * Who fills a column: `read` columns come in batches from the reader of a file, `derived` ones are
 * worked out by SQL in the same transaction.
 */
export type ColumnOrigin = "read" | "derived";

export interface Column {
  readonly type: ColumnType;
  readonly class: ColumnClass;
  readonly description: string;
  readonly isNullable: boolean;
  readonly origin: ColumnOrigin;
  /** Long text: stored with zstd, which DuckDB doesn't pick by itself. */
  readonly isLong: boolean;
}

export type Columns = Readonly<Record<string, Column>>;

export interface Table<C extends Columns = Columns> {
  readonly name: string;
  readonly description: string;
  /** Columns that name a row. No primary key stands behind it: uniqueness is a check. */
  readonly key: readonly string[];
  /** Column that gives the month of a row's Parquet file, or null for tables without a time. */
  readonly timeColumn: string | null;
  readonly columns: C;
}

interface TypeScriptTypes {
  varchar: string;
  bigint: bigint;
  integer: number;
  double: number;
  "decimal(18,9)": string;
  boolean: boolean;
  date: string;
  timestamptz: string;
}

type ValueOf<C extends Column> = C["isNullable"] extends false
  ? TypeScriptTypes[C["type"]]
  : TypeScriptTypes[C["type"]] | null;

/** Row of a table as TypeScript sees it: exact digits for BIGINT and DECIMAL, ISO strings for times. */
export type RowOf<T extends Table> = { readonly [K in keyof T["columns"]]: ValueOf<T["columns"][K]> };

export function table<const C extends Columns>(definition: Table<C>): Table<C> {
  return definition;
}

function column<const T extends ColumnType, const K extends ColumnClass>(
  type: T,
  columnClass: K,
  description: string,
): { type: T; class: K; description: string; isNullable: false; origin: "read"; isLong: false } {
  return { type, class: columnClass, description, isNullable: false, origin: "read", isLong: false };
}

/** Identifier or name that tells nothing of what was said. */
export function name(description: string) {
  return column("varchar", "name", description);
}

export function path(description: string) {
  return column("varchar", "path", description);
}

/** Words of a person or a model, or anything that may hold them. */
export function text(description: string) {
  return column("varchar", "text", description);
}

/** Words that may run to megabytes. */
export function longText(description: string) {
  return { ...text(description), isLong: true as const };
}

/** Whole number that may pass 2^31: tokens, bytes, milliseconds. */
export function whole(description: string) {
  return column("bigint", "number", description);
}

/** Whole number that stays below 2^31: positions, counts within a file. */
export function small(description: string) {
  return column("integer", "number", description);
}

export function real(description: string) {
  return column("double", "number", description);
}

/** US dollars: exact sums, whatever the order of rows. Batches carry the double that Pi wrote. */
export function usd(description: string) {
  return column("decimal(18,9)", "number", description);
}

export function flag(description: string) {
  return column("boolean", "number", description);
}

export function day(description: string) {
  return column("date", "number", description);
}

/** Instant in UTC. Batches carry microseconds since 1970. */
export function instant(description: string) {
  return column("timestamptz", "number", description);
}

export function nullable<const C extends Column>(of: C): Omit<C, "isNullable"> & { isNullable: true } {
  return { ...of, isNullable: true };
}

/** Worked out by SQL after the rows are in; no reader fills it. */
export function derived<const C extends Column>(of: C): Omit<C, "origin"> & { origin: "derived" } {
  return { ...of, origin: "derived" };
}

/** Names of the columns that a reader fills, in table order. */
export function readColumnNames(of: Table): string[] {
  return Object.keys(of.columns).filter((key) => of.columns[key]?.origin === "read");
}
