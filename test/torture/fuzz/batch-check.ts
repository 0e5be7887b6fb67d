import { isUtf8 } from "node:buffer";
import type { ColumnBatch, ColumnBuffers } from "../../../pipeline/flow.js";
import { batchTables } from "../../../schema/index.js";
import { type Column, readColumnNames, type Table } from "../../../schema/table.js";

const DECIMAL_LIMIT = 1e9;
const MICROS_1970 = 0n;
const MICROS_2100 = 4_102_444_800_000_000n;

const NAMES = new Map(Object.entries(batchTables).map(([name, table]) => [name, readColumnNames(table)]));

/** What of a batch the load could not take, or would take for something else; empty where all is well. */
export function batchFaults(batch: ColumnBatch): string[] {
  const table: Table = batchTables[batch.table];
  return (NAMES.get(batch.table) ?? []).flatMap((name, index) => {
    const buffers = batch.columns[index];
    const column = table.columns[name];
    if (buffers === undefined || column === undefined) return [`${batch.table}.${name}: no buffers`];
    const fault = columnFault(buffers, column, batch.rowCount);
    return fault === null ? [] : [`${batch.table}.${name}: ${fault}`];
  });
}

function columnFault(buffers: ColumnBuffers, column: Column, rowCount: number): string | null {
  const { values, offsets, nullCount } = buffers;
  if (nullCount > 0 && !column.isNullable) return "NULL where none is allowed";
  if (column.type === "varchar") return textFault(values, offsets, rowCount);
  if (values instanceof Float64Array) {
    const limit = column.type === "double" ? Number.MAX_VALUE : DECIMAL_LIMIT;
    const wrong = values.subarray(0, rowCount).find((value) => !(Math.abs(value) <= limit));
    return wrong === undefined ? null : `number ${wrong}`;
  }
  if (column.type !== "timestamptz" || !(values instanceof BigInt64Array)) return null;
  const odd = values.subarray(0, rowCount).find((value) => value < MICROS_1970 || value >= MICROS_2100);
  return odd === undefined ? null : `instant ${odd}`;
}

function textFault(
  values: ColumnBuffers["values"],
  offsets: Int32Array | null,
  rowCount: number,
): string | null {
  if (!(values instanceof Uint8Array) || offsets === null || offsets.length !== rowCount + 1)
    return "no offsets";
  if (!isUtf8(values)) return "text that is no UTF-8";
  for (let row = 0; row < rowCount; row += 1) {
    const start = offsets[row] ?? -1;
    const end = offsets[row + 1] ?? -1;
    if (start < 0 || end < start || end > values.length) return `offsets ${start} to ${end}`;
    if (end < values.length && ((values[end] ?? 0) & 0xc0) === 0x80) return "a character cut in two";
  }
  return null;
}

/** Reads values of one column: text or number, null where it is NULL. */
export type ReadValue = (row: number) => string | number | null;

export function reading(batch: ColumnBatch, name: string): ReadValue {
  const buffers = batch.columns[NAMES.get(batch.table)?.indexOf(name) ?? -1];
  if (buffers === undefined) throw new RangeError(`${batch.table} has no column ${name}`);
  const { values, offsets, validity } = buffers;
  const read = readingPresent(values, offsets);
  return validity === null ? read : (row) => (isSet(validity, row) ? read(row) : null);
}

function readingPresent(values: ColumnBuffers["values"], offsets: Int32Array | null): ReadValue {
  if (!(values instanceof Uint8Array)) return (row) => Number(values[row]);
  if (offsets === null) return (row) => (isSet(values, row) ? 1 : 0);
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  return (row) => bytes.toString("utf8", offsets[row], offsets[row + 1]);
}

function isSet(bits: Uint8Array, row: number): boolean {
  return (((bits[row >> 3] ?? 0) >> (row & 7)) & 1) === 1;
}

export function columnNames(batch: ColumnBatch): readonly string[] {
  return NAMES.get(batch.table) ?? [];
}
