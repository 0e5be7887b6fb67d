import type { DuckDBConnection } from "@duckdb/node-api";

/** Rows of a query whose columns are all text or NULL. */
export async function readRows(connection: DuckDBConnection, sql: string): Promise<(string | null)[][]> {
  const reader = await connection.runAndReadAll(sql);
  return reader
    .getRows()
    .map((row) => row.map((value) => (value === null || value === undefined ? null : String(value))));
}

export async function readValue(connection: DuckDBConnection, sql: string): Promise<string | null> {
  return (await readRows(connection, sql))[0]?.[0] ?? null;
}
