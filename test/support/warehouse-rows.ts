import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";

import { createTableSql, quoteName, quoteText } from "../../schema/ddl.js";
import { type TableName, tableList, tables } from "../../schema/index.js";
import type { Column } from "../../schema/table.js";

export type RowValue = string | number | boolean | null;
export type LooseRow = Readonly<Record<string, RowValue>>;

/** An empty warehouse in memory: attached and in use, as the load has it. */
export async function openEmptyWarehouse(): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(
    "set TimeZone = 'UTC'; attach ':memory:' as warehouse; use warehouse; create schema base",
  );
  for (const table of tableList()) await connection.run(createTableSql(table, "base"));
  return connection;
}

/** Inserts rows into a base table. What a row leaves out is NULL, or a plain default where NULL is not allowed. */
export async function insertRows(
  connection: DuckDBConnection,
  tableName: TableName,
  rows: readonly LooseRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns: [string, Column][] = Object.entries(tables[tableName].columns);
  for (const row of rows) {
    const unknown = Object.keys(row).filter((name) => !columns.some(([column]) => column === name));
    if (unknown.length > 0) throw new Error(`base.${tableName} has no column ${unknown.join(", ")}`);
  }
  const values = rows.map(
    (row) => `(${columns.map(([name, column]) => literal(row[name], column)).join(", ")})`,
  );
  const names = columns.map(([name]) => quoteName(name)).join(", ");
  await connection.run(`insert into base.${tableName} (${names}) values ${values.join(",\n")}`);
}

function literal(value: RowValue | undefined, column: Column): string {
  if (value === undefined) return column.isNullable ? "null" : DEFAULTS[column.type];
  if (value === null) return "null";
  return typeof value === "string" ? quoteText(value) : String(value);
}

const DEFAULTS = {
  varchar: "''",
  bigint: "0",
  integer: "0",
  double: "0",
  "decimal(18,9)": "0",
  boolean: "false",
  date: "date '2026-01-05'",
  timestamptz: "timestamptz '2026-01-05 09:00:00+00'",
} as const satisfies Record<Column["type"], string>;

/** Rows of a query as objects, with exact digits as strings where JSON numbers would lose some. */
export async function queryRows(
  connection: DuckDBConnection,
  sql: string,
): Promise<Record<string, unknown>[]> {
  const reader = await connection.runAndReadAll(sql);
  return reader.getRowObjectsJson();
}
