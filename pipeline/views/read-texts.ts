import type { DuckDBConnection } from "@duckdb/node-api";

/** Rows of a query whose columns are all text. */
export async function readTexts(connection: DuckDBConnection, sql: string): Promise<string[][]> {
  const reader = await connection.runAndReadAll(sql);
  return reader.getRows().map((row) => row.map((value) => (typeof value === "string" ? value : "")));
}
