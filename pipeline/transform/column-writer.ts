import type { ColumnBuffers } from "../flow.js";

/** Rows of a batch at most: one DuckDB vector. */
export const ROWS_PER_BATCH = 2_048;

/** Bytes of a bit a row; a multiple of the 8 bytes that Arrow asks for. */
export const BITS_BYTES = ROWS_PER_BATCH / 8;

/** Where the row that is being written will stand, shared by the columns of a table. */
export interface RowCursor {
  row: number;
  /** Bytes of strings put since the batch began, over all columns. */
  textBytes: number;
}

/** Part of a table's slab that one column takes: offsets from its start, in bytes. */
export interface ColumnPlace {
  readonly values: number;
  /** Null for columns that allow no null. */
  readonly validity: number | null;
}

/**
 * Writes values of one column in Arrow layout. A row that is not put is null, or 0, false or "" where the
 * column allows no null; so is a value of a wrong type or out of range, which never reaches the memory.
 * The columns don't count rows, so ending a row costs nothing, however many columns are not put.
 */
export abstract class ColumnWriter {
  protected readonly cursor: RowCursor;
  protected readonly place: ColumnPlace;
  /** Subclasses set its bits in code of their own: shared code would look this up in objects of five forms. */
  protected validity: Uint8Array | null = null;

  constructor(place: ColumnPlace, cursor: RowCursor) {
    this.place = place;
    this.cursor = cursor;
  }

  abstract put(value: unknown): void;

  /** Takes back what was put for the open row. */
  abstract undo(): void;

  /** The first rows as buffers over the memory in use; the writer needs other memory after that. */
  abstract seal(rowCount: number): ColumnBuffers;

  /** Begins a batch in a slab that holds zeros. */
  open(slab: ArrayBuffer): void {
    const { validity } = this.place;
    this.validity = validity === null ? null : new Uint8Array(slab, validity, BITS_BYTES);
  }

  protected sealed(
    values: ColumnBuffers["values"],
    offsets: Int32Array | null,
    rowCount: number,
  ): ColumnBuffers {
    const nullCount = this.validity === null ? 0 : rowCount - countBits(this.validity);
    if (nullCount === 0 || this.validity === null) return { values, offsets, validity: null, nullCount: 0 };
    return { values, offsets, validity: this.validity.subarray(0, bitsBytes(rowCount)), nullCount };
  }
}

/** Bytes that hold one bit a row, padded to 8 bytes. */
export function bitsBytes(rowCount: number): number {
  return ((rowCount + 63) >> 6) << 3;
}

export function setBit(bits: Uint8Array, at: number): void {
  bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
}

export function clearBit(bits: Uint8Array, at: number): void {
  bits[at >> 3] = (bits[at >> 3] ?? 0) & ~(1 << (at & 7));
}

function countBits(bits: Uint8Array): number {
  let count = 0;
  for (let byte of bits) for (; byte !== 0; byte &= byte - 1) count += 1;
  return count;
}
