import type { ColumnSink, RowSinks } from "../../pipeline/flow.js";
import { batchTables } from "../../schema/index.js";
import type { Column, Table } from "../../schema/table.js";

export type Value = string | number | boolean | null;

/** A row as the reader wrote it: instants are milliseconds, money is a double. */
export type MemoryRow = Readonly<Record<string, Value>>;

export type MemoryRows = Readonly<Record<keyof typeof batchTables, MemoryRow[]>>;

/** Sinks that keep rows as objects, and refuse what the real buffers could not hold. */
export function memorySinks(): { readonly sinks: RowSinks; readonly rows: MemoryRows } {
  const rows: Record<string, MemoryRow[]> = {};
  const sinks: Record<string, unknown> = {};
  for (const [name, table] of Object.entries(batchTables)) {
    const collected: MemoryRow[] = [];
    rows[name] = collected;
    sinks[name] = rowSink(table, collected);
  }
  // The loop above made one of each, by the same register that both types come from.
  return { sinks: sinks as unknown as RowSinks, rows: rows as MemoryRows };
}

function rowSink(table: Table, collected: MemoryRow[]): unknown {
  const columns: Record<string, ColumnSink> = {};
  const empty = emptyRow(table);
  let row = { ...empty };
  for (const [name, column] of Object.entries(table.columns)) {
    if (column.origin !== "read") continue;
    columns[name] = {
      put: (value) => {
        row[name] =
          value === undefined || value === null ? (empty[name] ?? null) : checked(value, column, name);
      },
    };
  }
  return {
    columns,
    endRow: () => {
      collected.push(row);
      row = { ...empty };
    },
  };
}

function emptyRow(table: Table): Record<string, Value> {
  const row: Record<string, Value> = {};
  for (const [name, column] of Object.entries(table.columns)) {
    if (column.origin === "read") row[name] = column.isNullable ? null : emptyValue(column);
  }
  return row;
}

function emptyValue(column: Column): Value {
  if (column.type === "varchar") return "";
  return column.type === "boolean" ? false : 0;
}

function checked(value: string | number | boolean, column: Column, name: string): Value {
  const fits =
    column.type === "varchar"
      ? typeof value === "string"
      : column.type === "boolean"
        ? typeof value === "boolean"
        : typeof value === "number" && fitsNumber(value, column);
  if (!fits)
    throw new TypeError(`column ${name} of type ${column.type} cannot hold ${typeof value} ${value}`);
  return value;
}

function fitsNumber(value: number, column: Column): boolean {
  if (column.type === "integer") return Number.isInteger(value) && Math.abs(value) < 2 ** 31;
  if (column.type === "bigint" || column.type === "timestamptz") return Number.isSafeInteger(value);
  return Number.isFinite(value);
}
