import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteText } from "../../schema/ddl.js";
import { numberOf, queryRows, textOf } from "./sql.js";

/** Facts that hold for a whole warehouse; empty for a new one. */
export async function readSettings(connection: DuckDBConnection): Promise<Map<string, string>> {
  const exists = await queryRows(
    connection,
    "select count(*) as n from duckdb_tables() where database_name = current_database() and schema_name = 'meta' and table_name = 'settings'",
  );
  if (numberOf(exists[0], "n") === 0) return new Map();
  const rows = await queryRows(connection, "select key, value from meta.settings");
  return new Map(rows.map((row) => [textOf(row, "key"), textOf(row, "value")]));
}

export async function writeSetting(connection: DuckDBConnection, key: string, value: string): Promise<void> {
  await connection.run(`delete from meta.settings where key = ${quoteText(key)}`);
  await connection.run(`insert into meta.settings values (${quoteText(key)}, ${quoteText(value)})`);
}

export async function dropSetting(connection: DuckDBConnection, key: string): Promise<void> {
  await connection.run(`delete from meta.settings where key = ${quoteText(key)}`);
}
