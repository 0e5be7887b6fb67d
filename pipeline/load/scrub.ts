import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteName, quoteText } from "../../schema/ddl.js";
import { tableList } from "../../schema/index.js";
import type { Table } from "../../schema/table.js";
import { dayInZone } from "./insert-sql.js";
import { numberOf, queryRows, runLoadSql } from "./sql.js";

/** Rows whose text goes. */
export interface ScrubScope {
  /** Rows of days before this one, `YYYY-MM-DD` in the warehouse's zone; null for all. */
  readonly before: string | null;
  /** Rows that this load wrote, and no others. */
  readonly isThisLoad: boolean;
}

/** Day of a row and what it takes to know it; a row without a time follows its session or its file. */
interface RowDay {
  readonly day: string;
  readonly from: string;
  readonly join: string;
}

/** Rows with text removed, by table, tables without any left out. */
export type ScrubCounts = Readonly<Record<string, number>>;

/**
 * Sets every column of class `text` to NULL in the rows of the scope and leaves all else: numbers, identity,
 * hashes, sizes, classes. Runs in a transaction of the caller, with the session variable `time_zone` set and,
 * for rows of one load, `load_id`.
 */
export async function scrub(connection: DuckDBConnection, scope: ScrubScope): Promise<ScrubCounts> {
  return overTextTables(connection, scope, async (table, columns, where, from) => {
    const nothing = columns.map((name) => `${quoteName(name)} = null`).join(", ");
    const done = await connection.run(`update base.${table.name} set ${nothing}${from} where ${where}`);
    return done.rowsChanged;
  });
}

/** The rows that `scrub` would change. */
export async function countText(connection: DuckDBConnection, scope: ScrubScope): Promise<ScrubCounts> {
  return overTextTables(connection, scope, async (table, _columns, where, from) => {
    const tables = `base.${table.name}${from.replace(" from ", ", ")}`;
    const [row] = await queryRows(connection, `select count(*) as n from ${tables} where ${where}`);
    return numberOf(row, "n");
  });
}

/** Columns that may hold words of a person or a model. */
export function textColumns(table: Table): readonly string[] {
  return Object.keys(table.columns).filter((name) => table.columns[name]?.class === "text");
}

async function overTextTables(
  connection: DuckDBConnection,
  scope: ScrubScope,
  act: (table: Table, columns: readonly string[], where: string, from: string) => Promise<number>,
): Promise<ScrubCounts> {
  if (scope.before !== null)
    for (const step of ["session_days", "file_days"]) await runLoadSql(connection, step);
  const counts: [string, number][] = [];
  for (const table of tableList()) {
    const columns = textColumns(table);
    if (columns.length === 0) continue;
    const { where, from } = rowsOf(table, columns, scope);
    counts.push([table.name, await act(table, columns, where, from)]);
  }
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

function rowsOf(
  table: Table,
  columns: readonly string[],
  { before, isThisLoad }: ScrubScope,
): { where: string; from: string } {
  const filled = columns.map((name) => `${table.name}.${quoteName(name)} is not null`).join(" or ");
  const conditions = [`(${filled})`];
  if (isThisLoad) conditions.push(`${table.name}.load_id = getvariable('load_id')`);
  if (before === null) return { where: conditions.join(" and "), from: "" };
  const { day, from, join } = rowDay(table);
  conditions.push(join, `${day} < date ${quoteText(before)}`);
  return { where: conditions.join(" and "), from: ` from ${from}` };
}

function rowDay(table: Table): RowDay {
  if (!("session_key" in table.columns)) {
    return {
      day: "file_days.file_day",
      from: "file_days",
      join: `file_days.file_id = ${table.name}.file_id`,
    };
  }
  const session = { from: "session_days", join: `session_days.session_key = ${table.name}.session_key` };
  const { timeColumn } = table;
  if (timeColumn === null) return { day: "session_days.session_day", ...session };
  return {
    day: `coalesce(${dayInZone(`${table.name}.${timeColumn}`)}, session_days.session_day)`,
    ...session,
  };
}
