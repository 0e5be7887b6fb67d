import { quoteName } from "../../schema/ddl.js";
import { type Column, readColumnNames, type Table } from "../../schema/table.js";

/** Columns that rows start with before any SQL has looked at other rows. */
const FIRST_VALUES: Readonly<Record<string, string>> = {
  is_present: "true",
  is_counted: "true",
};

/** Day of an instant in the warehouse's zone; the zone is a session variable of the load. */
export function dayInZone(instant: string): string {
  return `cast(timezone(getvariable('time_zone'), ${instant}) as date)`;
}

/**
 * Moves batches into a base table. Derived columns get the value they have before any other row is
 * looked at; `expressions` replaces that for single columns. Read columns come from `source` where it is
 * given; with null no reader made the row.
 */
export function insertSql(
  table: Table,
  from: string,
  expressions: Readonly<Record<string, string>> = {},
  source: string | null = "",
): string {
  const values = Object.entries(table.columns).map(
    ([name, column]) => expressions[name] ?? rowValue(name, column, table, source),
  );
  const names = Object.keys(table.columns).map(quoteName);
  return `insert into base.${table.name} (${names.join(", ")}) select ${values.join(", ")} from ${from}`;
}

/** Moves batches into the temporary table that `createStageSql` made. */
export function insertStageSql(table: Table, stageName: string, from: string): string {
  const names = readColumnNames(table).map(quoteName).join(", ");
  return `insert into ${stageName} (${names}) select ${names} from ${from}`;
}

function rowValue(name: string, column: Column, table: Table, source: string | null): string {
  if (column.origin === "derived" || source === null) return firstValue(name, column, table);
  return readValue(source === "" ? quoteName(name) : `${source}.${quoteName(name)}`, column);
}

function readValue(expression: string, column: Column): string {
  return column.type === "decimal(18,9)" ? `cast(${expression} as decimal(18, 9))` : expression;
}

function firstValue(name: string, column: Column, table: Table): string {
  if (name === "occurred_on" && table.timeColumn !== null) return dayInZone(table.timeColumn);
  const first = FIRST_VALUES[name];
  if (first !== undefined) return first;
  if (column.isNullable) return `cast(null as ${column.type})`;
  if (column.type === "boolean") return "false";
  return column.type === "varchar" ? "''" : "0";
}
