import type { FileFacts, LineHandler, LinePlace } from "../flow.js";
import type { LineLimits } from "./line-limits.js";
import { LINE_LIMITS } from "./line-limits.js";
import type { LineSink } from "./line-reader.js";
import { LineReader } from "./line-reader.js";
import { parseLine, startOfText } from "./parse-line.js";

/** One file that is being read, step by step, so that the caller can pause in the middle of a large one. */
export interface SessionReading {
  /** Reads on by a megabyte, or by one longer line. Answers false once nothing is left. */
  step(): boolean;
  /** What is known of the file; once, after the last step. */
  facts(): FileFacts;
  /** Lines that ended so far. */
  lineCount(): number;
  close(): void;
}

/**
 * Reads a session file line by line into a handler. Throws a PipelineError where the file can't be read; a
 * bad line never throws. Lines count from 1, blank ones included; a last line without LF counts where it is
 * a record and is left for the next run where it may be unfinished.
 */
export function readSession(path: string, handler: LineHandler, limits: LineLimits = LINE_LIMITS): FileFacts {
  const reading = openSession(path, handler, limits);
  try {
    while (reading.step());
    return reading.facts();
  } finally {
    reading.close();
  }
}

/** The same as readSession in steps. The caller closes it, whatever happens. */
export function openSession(
  path: string,
  handler: LineHandler,
  limits: LineLimits = LINE_LIMITS,
): SessionReading {
  const counting = new LineCounter(handler, limits);
  const reader = new LineReader(path, counting, limits.lineBytes);
  return {
    step: () => reader.step(),
    lineCount: () => reader.lineCount,
    close: () => reader.close(),
    facts: () => ({
      lineCount: counting.lineCount,
      blankLineCount: counting.blankLineCount,
      rejectCount: counting.rejectCount,
      pendingTailBytes: counting.pendingTailBytes,
      bytesRead: reader.bytesRead,
      contentSha1: reader.digest(),
      hasByteOrderMark: reader.hasByteOrderMark,
    }),
  };
}

class LineCounter implements LineSink {
  private readonly handler: LineHandler;
  private readonly limits: LineLimits;
  lineCount = 0;
  blankLineCount = 0;
  rejectCount = 0;
  pendingTailBytes = 0;

  constructor(handler: LineHandler, limits: LineLimits) {
    this.handler = handler;
    this.limits = limits;
  }

  line(bytes: Buffer, start: number, end: number, byteOffset: number, hasEnd: boolean): boolean {
    const parsed = parseLine(bytes, start, end, this.limits);
    if (parsed.kind === "problem" && parsed.problem.mayBeUnfinished && !hasEnd) {
      this.pendingTailBytes = end - start;
      return true;
    }
    this.lineCount += 1;
    const place = { lineNumber: this.lineCount, byteOffset, lineBytes: end - start };
    if (parsed.kind === "record") return this.handler.record(parsed.record, place);
    if (parsed.kind === "problem") {
      const { reason, message } = parsed.problem;
      return this.reject(reason, message, startOfText(bytes, start, end), place);
    }
    this.blankLineCount += 1;
    return true;
  }

  longLine(head: Buffer, lineBytes: number, byteOffset: number): boolean {
    this.lineCount += 1;
    const place = { lineNumber: this.lineCount, byteOffset, lineBytes };
    const message = `line of ${lineBytes} bytes, at most ${this.limits.lineBytes}`;
    return this.reject("line_too_long", message, startOfText(head, 0, head.length), place);
  }

  private reject(
    reason: Parameters<LineHandler["reject"]>[0],
    message: string,
    textStart: string,
    place: LinePlace,
  ): boolean {
    this.rejectCount += 1;
    return this.handler.reject(reason, message, textStart, place);
  }
}
