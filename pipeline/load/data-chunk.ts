import duckdb, { type DataChunk, type Vector } from "@duckdb/node-bindings";
import type { Data, RecordBatch } from "apache-arrow";
import type { ColumnType } from "../../schema/table.js";

/** Rows of a DuckDB vector; a batch never holds more. */
export const VECTOR_ROWS = 2048;

const scratch = new Uint8Array(VECTOR_ROWS);

/**
 * Copies a record batch of at most 2,048 rows into a data chunk. Fixed-width columns go as one block,
 * strings one by one (load-path section 3: building string structs by hand gains nothing). This is the
 * only module that knows both Arrow and DuckDB; `copy_data_to_vector` checks no sizes.
 */
export function fillDataChunk(chunk: DataChunk, batch: RecordBatch, types: readonly ColumnType[]): void {
  const rows = batch.numRows;
  if (rows > VECTOR_ROWS) throw new RangeError(`batch of ${rows} rows, at most ${VECTOR_ROWS}`);
  for (const [index, type] of types.entries()) {
    const data = batch.data.children[index];
    if (data === undefined)
      throw new RangeError(`batch of ${batch.data.children.length} columns, expected ${types.length}`);
    fillVector(duckdb.data_chunk_get_vector(chunk, index), data, type, rows);
  }
  duckdb.data_chunk_set_size(chunk, rows);
}

function fillVector(vector: Vector, data: Data, type: ColumnType, rows: number): void {
  if (type === "varchar") fillStrings(vector, data, rows);
  else if (type === "boolean") fillBooleans(vector, data, rows);
  else copyFixed(vector, data.values, rows);
  if (data.nullCount > 0 && data.nullBitmap !== null) {
    const bitmap = data.nullBitmap;
    duckdb.vector_ensure_validity_writable(vector);
    duckdb.copy_data_to_vector_validity(vector, 0, bytesOf(bitmap), bitmap.byteOffset, validityBytes(rows));
  }
}

function copyFixed(
  vector: Vector,
  values: { buffer: ArrayBufferLike; byteOffset: number; BYTES_PER_ELEMENT: number },
  rows: number,
): void {
  duckdb.copy_data_to_vector(vector, 0, bytesOf(values), values.byteOffset, rows * values.BYTES_PER_ELEMENT);
}

function fillStrings(vector: Vector, data: Data, rows: number): void {
  const offsets: Int32Array = data.valueOffsets;
  const bytes: Uint8Array = data.values;
  const bitmap = data.nullCount > 0 ? data.nullBitmap : null;
  for (let row = 0; row < rows; row += 1) {
    if (bitmap !== null && !isSet(bitmap, row)) continue;
    duckdb.vector_assign_string_element_len(vector, row, bytes.subarray(offsets[row], offsets[row + 1]));
  }
}

function fillBooleans(vector: Vector, data: Data, rows: number): void {
  const bits: Uint8Array = data.values;
  for (let row = 0; row < rows; row += 1) scratch[row] = isSet(bits, row) ? 1 : 0;
  duckdb.copy_data_to_vector(vector, 0, scratch.buffer, 0, rows);
}

function isSet(bits: Uint8Array, row: number): boolean {
  return (((bits[row >> 3] ?? 0) >> (row & 7)) & 1) === 1;
}

/** DuckDB reads validity in words of 64 rows. */
function validityBytes(rows: number): number {
  return ((rows + 63) >> 6) << 3;
}

function bytesOf(view: { buffer: ArrayBufferLike }): ArrayBuffer {
  if (view.buffer instanceof ArrayBuffer) return view.buffer;
  throw new TypeError("shared memory cannot be copied into a vector");
}
