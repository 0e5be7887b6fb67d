import type { ColumnBuffers } from "../flow.js";
import { ColumnWriter, clearBit, ROWS_PER_BATCH, setBit } from "./column-writer.js";

/** Below this length a loop over the characters beats a call into native code (load-path section 2). */
const SHORT_TEXT_CHARS = 24;

/** From this length on the exact size in UTF-8 is worked out before room is made; below, three times it. */
const LONG_TEXT_CHARS = 65_536;

const FIRST_BYTES = 16_384;

/** Memory of a column that grew beyond this is not used again: one huge line must not stay for good. */
const KEPT_BYTES_MAX = 8 * 1024 * 1024;

/** Offsets have 32 bits. */
const TEXT_BYTES_MAX = 0x7fff_ffff;

export const OFFSETS_BYTES = (ROWS_PER_BATCH + 2) * 4;

/** Strings as UTF-8 behind offsets; half of a surrogate pair becomes U+FFFD. */
export class TextColumn extends ColumnWriter {
  private offsets = new Int32Array(0);
  private bytes = Buffer.alloc(0);
  private end = 0;
  /** Rows whose end offset is written; rows that are not put are caught up with later. */
  private endedRows = 0;

  override open(slab: ArrayBuffer, used?: ArrayBuffer): void {
    super.open(slab);
    this.offsets = new Int32Array(slab, this.place.values, ROWS_PER_BATCH + 1);
    const isKept = used !== undefined && used.byteLength > 0 && used.byteLength <= KEPT_BYTES_MAX;
    this.bytes = isKept ? Buffer.from(used) : Buffer.from(new ArrayBuffer(FIRST_BYTES));
    this.end = 0;
    this.endedRows = 0;
  }

  put(value: unknown): void {
    const { row } = this.cursor;
    if (this.endedRows > row) this.undo();
    if (typeof value !== "string") return;
    this.endRows(row);
    const start = this.end;
    if (value.length >= SHORT_TEXT_CHARS || !this.writeAscii(value)) this.writeUtf8(value);
    this.endRows(row + 1);
    this.cursor.textBytes += this.end - start;
    if (this.validity !== null) setBit(this.validity, row);
  }

  undo(): void {
    const { row } = this.cursor;
    if (this.endedRows <= row) return;
    const start = this.offsets[row] ?? 0;
    this.cursor.textBytes -= this.end - start;
    this.end = start;
    this.endedRows = row;
    if (this.validity !== null) clearBit(this.validity, row);
  }

  seal(rowCount: number): ColumnBuffers {
    this.endRows(rowCount);
    const values = new Uint8Array(this.bytes.buffer, this.bytes.byteOffset, this.end);
    return this.sealed(values, this.offsets.subarray(0, rowCount + 1), rowCount);
  }

  private endRows(rows: number): void {
    for (let row = this.endedRows; row < rows; row += 1) this.offsets[row + 1] = this.end;
    this.endedRows = rows;
  }

  /** Answers false, with nothing written, where a character is not ASCII. */
  private writeAscii(value: string): boolean {
    if (this.end + value.length > this.bytes.length) this.grow(value.length);
    const { bytes, end } = this;
    for (let at = 0; at < value.length; at += 1) {
      const code = value.charCodeAt(at);
      if (code > 127) return false;
      bytes[end + at] = code;
    }
    this.end = end + value.length;
    return true;
  }

  private writeUtf8(value: string): void {
    const room = value.length < LONG_TEXT_CHARS ? value.length * 3 : Buffer.byteLength(value);
    if (this.end + room > this.bytes.length) this.grow(room);
    this.end += this.bytes.write(value, this.end, room, "utf8");
  }

  private grow(room: number): void {
    const needed = this.end + room;
    if (needed > TEXT_BYTES_MAX) throw new RangeError(`${needed} bytes of strings in one column of a batch`);
    const grown = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, needed));
    this.bytes.copy(grown, 0, 0, this.end);
    this.bytes = grown;
  }
}
