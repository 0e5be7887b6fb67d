import type { ColumnType } from "../../schema/table.js";
import type { ColumnBuffers } from "../flow.js";
import type { ColumnPlace, RowCursor } from "./column-writer.js";
import { BITS_BYTES, bitsBytes, ColumnWriter, clearBit, ROWS_PER_BATCH, setBit } from "./column-writer.js";
import { OFFSETS_BYTES, TextColumn } from "./text-column.js";

/** DECIMAL(18,9) holds nine digits before the point; a larger number would fail the whole load. */
const DECIMAL_LIMIT = 1e9;

const MICROS_PER_MS = 1000;

/** Bytes that the values of a column take in its table's slab; for strings, their offsets. */
export function valuesBytes(type: ColumnType): number {
  if (type === "boolean") return BITS_BYTES;
  if (type === "integer" || type === "date") return ROWS_PER_BATCH * 4;
  if (type === "varchar") return OFFSETS_BYTES;
  return ROWS_PER_BATCH * 8;
}

export function createColumnWriter(type: ColumnType, place: ColumnPlace, cursor: RowCursor): ColumnWriter {
  switch (type) {
    case "varchar":
      return new TextColumn(place, cursor);
    case "boolean":
      return new BooleanColumn(place, cursor);
    case "integer":
    case "date":
      return new Int32Column(place, cursor);
    case "bigint":
      return new Int64Column(place, cursor, 1);
    case "timestamptz":
      return new Int64Column(place, cursor, MICROS_PER_MS);
    case "double":
      return new Float64Column(place, cursor, Number.POSITIVE_INFINITY);
    case "decimal(18,9)":
      return new Float64Column(place, cursor, DECIMAL_LIMIT);
  }
}

class BooleanColumn extends ColumnWriter {
  private bits = new Uint8Array(0);

  override open(slab: ArrayBuffer): void {
    super.open(slab);
    this.bits = new Uint8Array(slab, this.place.values, BITS_BYTES);
  }

  put(value: unknown): void {
    if (typeof value !== "boolean") return this.undo();
    const { row } = this.cursor;
    if (value) setBit(this.bits, row);
    else clearBit(this.bits, row);
    if (this.validity !== null) setBit(this.validity, row);
  }

  undo(): void {
    clearBit(this.bits, this.cursor.row);
    if (this.validity !== null) clearBit(this.validity, this.cursor.row);
  }

  seal(rowCount: number): ColumnBuffers {
    return this.sealed(this.bits.subarray(0, bitsBytes(rowCount)), null, rowCount);
  }
}

class Int32Column extends ColumnWriter {
  private values = new Int32Array(0);

  override open(slab: ArrayBuffer): void {
    super.open(slab);
    this.values = new Int32Array(slab, this.place.values, ROWS_PER_BATCH);
  }

  put(value: unknown): void {
    if (typeof value !== "number" || (value | 0) !== value) return this.undo();
    this.values[this.cursor.row] = value;
    if (this.validity !== null) setBit(this.validity, this.cursor.row);
  }

  undo(): void {
    this.values[this.cursor.row] = 0;
    if (this.validity !== null) clearBit(this.validity, this.cursor.row);
  }

  seal(rowCount: number): ColumnBuffers {
    return this.sealed(this.values.subarray(0, rowCount), null, rowCount);
  }
}

/** Written as two words of 32 bits, the low one first, since a bigint per value would be garbage. */
class Int64Column extends ColumnWriter {
  private readonly factor: number;
  private values = new BigInt64Array(0);
  private words = new Int32Array(0);

  constructor(place: ColumnPlace, cursor: RowCursor, factor: number) {
    super(place, cursor);
    this.factor = factor;
  }

  override open(slab: ArrayBuffer): void {
    super.open(slab);
    this.values = new BigInt64Array(slab, this.place.values, ROWS_PER_BATCH);
    this.words = new Int32Array(slab, this.place.values, ROWS_PER_BATCH * 2);
  }

  put(value: unknown): void {
    if (typeof value !== "number") return this.undo();
    const whole = this.factor === 1 ? value : Math.round(value * this.factor);
    if (!Number.isSafeInteger(whole)) return this.undo();
    const high = Math.floor(whole / 0x1_0000_0000);
    this.write(whole - high * 0x1_0000_0000, high);
    if (this.validity !== null) setBit(this.validity, this.cursor.row);
  }

  undo(): void {
    this.write(0, 0);
    if (this.validity !== null) clearBit(this.validity, this.cursor.row);
  }

  seal(rowCount: number): ColumnBuffers {
    return this.sealed(this.values.subarray(0, rowCount), null, rowCount);
  }

  private write(low: number, high: number): void {
    const at = this.cursor.row * 2;
    this.words[at] = low;
    this.words[at + 1] = high;
  }
}

/** Leaves out what is not finite: no JSON holds it and readers of Parquet stumble over it. */
class Float64Column extends ColumnWriter {
  private readonly limit: number;
  private values = new Float64Array(0);

  constructor(place: ColumnPlace, cursor: RowCursor, limit: number) {
    super(place, cursor);
    this.limit = limit;
  }

  override open(slab: ArrayBuffer): void {
    super.open(slab);
    this.values = new Float64Array(slab, this.place.values, ROWS_PER_BATCH);
  }

  put(value: unknown): void {
    if (typeof value !== "number" || !(Math.abs(value) < this.limit)) return this.undo();
    this.values[this.cursor.row] = value;
    if (this.validity !== null) setBit(this.validity, this.cursor.row);
  }

  undo(): void {
    this.values[this.cursor.row] = 0;
    if (this.validity !== null) clearBit(this.validity, this.cursor.row);
  }

  seal(rowCount: number): ColumnBuffers {
    return this.sealed(this.values.subarray(0, rowCount), null, rowCount);
  }
}
