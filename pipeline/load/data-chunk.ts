import duckdb, { type DataChunk, type Vector } from "@duckdb/node-bindings";
import type { Data, RecordBatch } from "apache-arrow";
import type { ColumnType } from "../../schema/table.js";

/** Rows of a DuckDB vector; a batch never holds more. */
export const VECTOR_ROWS = 2048;

/** A `duckdb_string_t`: length, then 12 bytes of a short string, or four of a long one and its address. */
const STRING_BYTES = 16;
const STRING_WORDS = STRING_BYTES / 4;
const INLINE_BYTES = 12;
const PREFIX_BYTES = 4;
const WORD_MAX = 0xffff_ffff;
const NO_ADDRESS = { low: 0, high: 0 };

const scratch = new Uint8Array(VECTOR_ROWS);
const stringWords = new Uint32Array(VECTOR_ROWS * STRING_WORDS);
const stringBytes = new Uint8Array(stringWords.buffer);

/**
 * Copies a record batch of at most 2,048 rows into a data chunk. Each column goes as one block.
 * This is the only module that knows both Arrow and DuckDB; `copy_data_to_vector` checks no sizes.
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

/**
 * All strings of a column go into the vector's own memory in one call; each row then points to its part of
 * them, or holds it itself where it is short (`duckdb_string_t` in duckdb.h). A call for each string takes ten
 * times as long. DuckDB checks that the bytes are UTF-8, and parts begin and end at whole characters.
 */
function fillStrings(vector: Vector, data: Data, rows: number): void {
  const offsets: Int32Array = data.valueOffsets;
  const bytes: Uint8Array = data.values;
  const address = rows > 0 ? storeBytes(vector, bytes.subarray(0, offsets[rows])) : NO_ADDRESS;
  for (let row = 0; row < rows; row += 1) {
    const start = offsets[row] ?? 0;
    const length = (offsets[row + 1] ?? 0) - start;
    const at = row * STRING_WORDS;
    stringWords[at] = length;
    stringWords[at + 1] = 0;
    stringWords[at + 2] = 0;
    stringWords[at + 3] = 0;
    const shown = length <= INLINE_BYTES ? length : PREFIX_BYTES;
    for (let index = 0; index < shown; index += 1)
      stringBytes[at * 4 + 4 + index] = bytes[start + index] ?? 0;
    if (length <= INLINE_BYTES) continue;
    const low = address.low + start;
    stringWords[at + 2] = low;
    stringWords[at + 3] = address.high + (low > WORD_MAX ? 1 : 0);
  }
  duckdb.copy_data_to_vector(vector, 0, stringWords.buffer, 0, rows * STRING_BYTES);
}

/** Copies bytes into the memory of a vector and answers where they are; its first row is used for that. */
function storeBytes(vector: Vector, bytes: Uint8Array): { low: number; high: number } {
  if (bytes.length <= INLINE_BYTES) return NO_ADDRESS;
  duckdb.vector_assign_string_element_len(vector, 0, bytes);
  const stored = duckdb.vector_get_data(vector, STRING_BYTES);
  const words = new DataView(stored.buffer, stored.byteOffset, STRING_BYTES);
  if (words.getUint32(0, true) !== bytes.length)
    throw new RangeError(`${bytes.length} bytes of strings are not UTF-8 or too long`);
  return { low: words.getUint32(8, true), high: words.getUint32(12, true) };
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
