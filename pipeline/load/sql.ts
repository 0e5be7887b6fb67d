import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";

export type SqlValue = string | number | bigint | boolean | null;

/** Rows as objects; BIGINT comes as bigint, DECIMAL as its digits, instants as text. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/**
 * Reads rows of a query. Whole numbers are bigints, anything that is no number, text or flag comes as
 * DuckDB writes it.
 */
export async function queryRows(connection: DuckDBConnection, sql: string): Promise<SqlRow[]> {
  const reader = await connection.runAndReadAll(sql);
  const names = reader.columnNames();
  return reader
    .getRows()
    .map((row) => Object.fromEntries(names.map((name, index) => [name, plainValue(row[index])])));
}

function plainValue(value: DuckDBValue | undefined): SqlValue {
  if (value === null || value === undefined) return null;
  return typeof value === "object" ? value.toString() : value;
}

export function textOf(row: SqlRow, name: string): string {
  const value = row[name];
  return value === null || value === undefined ? "" : String(value);
}

export function numberOf(row: SqlRow | undefined, name: string): number {
  return Number(row?.[name] ?? 0);
}

const texts = new Map<string, string>();

/** Text of `sql/load/<name>.sql`, with `{table}` and the like replaced. */
export function loadSql(name: string, replacements: Readonly<Record<string, string>> = {}): string {
  const text =
    texts.get(name) ?? readFileSync(fileURLToPath(import.meta.resolve(`#sql/load/${name}.sql`)), "utf8");
  texts.set(name, text);
  return Object.entries(replacements).reduce((sql, [key, value]) => sql.replaceAll(`{${key}}`, value), text);
}

/** Runs `sql/load/<name>.sql`. */
export async function runLoadSql(
  connection: DuckDBConnection,
  name: string,
  replacements: Readonly<Record<string, string>> = {},
): Promise<void> {
  await connection.run(loadSql(name, replacements));
}
