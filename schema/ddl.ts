import type { Column, Table } from "./table.js";
import { readColumnNames } from "./table.js";

/** `create table` of a base table for DuckDB, columns in the order of the schema. */
export function createTableSql(of: Table, schemaName: string): string {
  const columns = Object.entries(of.columns).map(([name, column]) => `  ${columnSql(name, column)}`);
  return `create table if not exists ${schemaName}.${of.name} (\n${columns.join(",\n")}\n)`;
}

/** `alter table` that puts a column behind the last one of a table with rows. */
export function addColumnSql(of: Table, schemaName: string, name: string, column: Column): string {
  return `alter table ${schemaName}.${of.name} add column ${columnSql(name, column)}`;
}

function columnSql(name: string, column: Column): string {
  const notNull = column.isNullable ? "" : " not null";
  const compression = column.isLong ? " using compression zstd" : "";
  return `${quoteName(name)} ${column.type}${notNull}${compression}`;
}

/** Temporary table with the columns that a reader fills, for rows that wait to be joined. */
export function createStageSql(of: Table, stageName: string): string {
  const columns = readColumnNames(of).map(
    (name) => `${quoteName(name)} ${of.columns[name]?.type ?? "varchar"}`,
  );
  return `create or replace temp table ${stageName} (${columns.join(", ")})`;
}

/** SQL identifier in double quotes. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** SQL string literal. */
export function quoteText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
