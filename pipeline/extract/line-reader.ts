import { createHash } from "node:crypto";
import { PipelineError } from "../errors.js";
import { type ByteSource, openBytes } from "./byte-source.js";

const STEP_BYTES = 1024 * 1024;

/** Memory that is kept for the next file; one huge line must not stay for good. */
const KEPT_BYTES_MAX = 8 * 1024 * 1024;

/** A line of half this length is measured in the file before memory is made for it. */
const MEASURED_LINE_BYTES = 16 * 1024 * 1024;

/** Enough for the first 200 characters of a line: three bytes of UTF-8 each at most, and one cut. */
const HEAD_BYTES = 604;

/** CR and LF. */
const LINE_END_BYTES = 2;

const LF = 0x0a;
const CR = 0x0d;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

let spareBuffer: Buffer | null = null;

/** Takes the lines of a file; each answers false when the rest is of no use. */
export interface LineSink {
  /** The line is `bytes` from `start` to before `end`, valid for the call only. `hasEnd` is false without LF. */
  line(bytes: Buffer, start: number, end: number, byteOffset: number, hasEnd: boolean): boolean;
  /** A line above the limit, which was never held in memory; `head` is how it starts. */
  longLine(head: Buffer, lineBytes: number, byteOffset: number): boolean;
}

interface SkippedLine {
  readonly head: Buffer;
  readonly byteOffset: number;
  length: number;
  endsInCr: boolean;
}

/**
 * Lines of one file, unpacked where it is an archive, split at LF alone; a CR before it belongs to the line's
 * end. Reads up to the size that the file had when it was opened.
 */
export class LineReader {
  private readonly path: string;
  private readonly sink: LineSink;
  private readonly maxLineBytes: number;
  private readonly hash = createHash("sha1");
  private readonly source: ByteSource;
  private buffer: Buffer;
  private start = 0;
  private searched = 0;
  private end = 0;
  private skipped: SkippedLine | null = null;
  private isDone = false;
  private isStopped = false;
  private isOpen = true;
  /** Lines that ended so far, for error messages. */
  lineCount = 0;
  bytesRead = 0;
  hasByteOrderMark = false;

  /** Throws a PipelineError that names the path and the system's error code. */
  constructor(path: string, sink: LineSink, maxLineBytes: number) {
    this.path = path;
    this.sink = sink;
    this.maxLineBytes = maxLineBytes;
    this.source = this.attempt(() => openBytes(path));
    this.buffer = spareBuffer ?? Buffer.allocUnsafeSlow(2 * STEP_BYTES);
    spareBuffer = null;
  }

  /** Reads on by at most a megabyte, or to the end of a longer line. Answers false at the end. */
  step(): boolean {
    if (this.isDone) return false;
    this.makeRoom();
    if (this.fill() === 0) {
      this.isDone = true;
      this.handOutTail();
      return false;
    }
    this.handOutLines();
    this.isDone = this.isStopped;
    return !this.isDone;
  }

  /** SHA-1 of the file in hexadecimal; null where a sink stopped the reading. Ends the reader's use. */
  digest(): string | null {
    return this.isStopped ? null : (this.source.packedSha1 ?? this.hash.digest("hex"));
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.source.close();
    if (this.buffer.length <= KEPT_BYTES_MAX) spareBuffer = this.buffer;
  }

  private makeRoom(): void {
    const held = this.end - this.start;
    if (this.start > 0) this.buffer.copyWithin(0, this.start, this.end);
    this.start = 0;
    this.searched = held;
    this.end = held;
    if (this.buffer.length - held >= STEP_BYTES) return;
    const limit = this.maxLineBytes + LINE_END_BYTES;
    const isShort = 2 * held < Math.min(limit, MEASURED_LINE_BYTES);
    const ahead = isShort ? held : this.measureRest(limit - held);
    if (held + ahead > limit) return this.beginSkipping();
    const grown = Buffer.allocUnsafeSlow(held + ahead + STEP_BYTES);
    this.buffer.copy(grown, 0, 0, held);
    this.buffer = grown;
  }

  /** Bytes from here to after the next LF, to the end of the file, or a little beyond the limit. */
  private measureRest(limit: number): number {
    const window = Buffer.allocUnsafe(STEP_BYTES);
    let length = 0;
    while (length <= limit) {
      const read = this.read(window, 0, this.bytesRead + length);
      if (read === 0) break;
      const at = window.subarray(0, read).indexOf(LF);
      if (at >= 0) return length + at + 1;
      length += read;
    }
    return length;
  }

  private beginSkipping(): void {
    const head = Buffer.from(this.buffer.subarray(0, Math.min(this.end, HEAD_BYTES)));
    const byteOffset = this.bytesRead - this.end;
    this.skipped = { head, byteOffset, length: 0, endsInCr: false };
    this.skipTo(this.end);
    this.end = 0;
    this.start = 0;
    this.searched = 0;
  }

  private skipTo(end: number): void {
    if (this.skipped === null || end === this.start) return;
    this.skipped.length += end - this.start;
    this.skipped.endsInCr = this.buffer[end - 1] === CR;
    this.start = end;
  }

  private fill(): number {
    const read = this.read(this.buffer, this.end, this.bytesRead);
    const chunk = this.buffer.subarray(this.end, this.end + read);
    if (this.source.packedSha1 === null) this.hash.update(chunk);
    if (this.bytesRead === 0 && chunk.subarray(0, 3).equals(BYTE_ORDER_MARK)) {
      this.hasByteOrderMark = true;
      this.start = BYTE_ORDER_MARK.length;
      this.searched = this.start;
    }
    this.end += read;
    this.bytesRead += read;
    return read;
  }

  private read(into: Buffer, at: number, position: number): number {
    const length = Math.min(STEP_BYTES, into.length - at, this.source.size - position);
    return length <= 0 ? 0 : this.attempt(() => this.source.read(into, at, length, position));
  }

  private handOutLines(): void {
    const filled = this.buffer.subarray(0, this.end);
    for (;;) {
      const at = filled.indexOf(LF, this.searched);
      if (at < 0) break;
      this.lineCount += 1;
      const goOn = this.skipped === null ? this.handOutLine(at) : this.handOutSkipped(at);
      this.start = at + 1;
      this.searched = at + 1;
      if (!goOn) {
        this.isStopped = true;
        return;
      }
    }
    this.skipTo(this.end);
  }

  private handOutLine(lineEnd: number): boolean {
    const end = lineEnd > this.start && this.buffer[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd;
    return this.handOut(end, true);
  }

  private handOut(end: number, hasEnd: boolean): boolean {
    const { start, buffer } = this;
    const byteOffset = this.bytesRead - this.end + start;
    if (end - start <= this.maxLineBytes) return this.sink.line(buffer, start, end, byteOffset, hasEnd);
    return this.sink.longLine(buffer.subarray(start, start + HEAD_BYTES), end - start, byteOffset);
  }

  private handOutSkipped(end: number): boolean {
    this.skipTo(end);
    const line = this.skipped;
    this.skipped = null;
    if (line === null) return true;
    return this.sink.longLine(line.head, line.length - (line.endsInCr ? 1 : 0), line.byteOffset);
  }

  private handOutTail(): void {
    if (this.skipped !== null) this.isStopped = !this.handOutSkipped(this.end);
    else if (this.end > this.start) this.isStopped = !this.handOut(this.end, false);
  }

  private attempt<T>(action: () => T): T {
    try {
      return action();
    } catch (cause) {
      if (cause instanceof PipelineError) throw cause;
      const place = this.lineCount > 0 ? ` after line ${this.lineCount}` : "";
      throw new PipelineError("FAILED", `cannot read ${this.path}${place}: ${errnoOf(cause)}`, { cause });
    }
  }
}

function errnoOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}
