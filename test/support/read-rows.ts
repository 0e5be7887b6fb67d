import { readSession } from "../../pipeline/extract/read-session.js";
import type { ContentOption, FileFacts, ReadRequest } from "../../pipeline/flow.js";
import { createSessionTransform } from "../../pipeline/transform/transform.js";
import { type MemoryRow, type MemoryRows, memorySinks } from "./memory-sinks.js";

export const HEADER = {
  type: "session",
  version: 3,
  id: "s0000001",
  timestamp: "2026-01-05T09:00:00.000Z",
  cwd: "/home/ada/shop",
};

/** Rows of a session file on disk. */
export function readFileRows(path: string, content: ContentOption = "full"): MemoryRows {
  const { sinks, rows } = memorySinks();
  const transform = createSessionTransform(requestFor(path, content), sinks);
  transform.finish(readSession(path, transform));
  return rows;
}

/** Rows of a file with the given records, one a line; a text stands for a line that holds none. */
export function readLines(lines: readonly unknown[], content: ContentOption = "full"): MemoryRows {
  const { sinks, rows } = memorySinks();
  const transform = createSessionTransform(requestFor("/sessions/a.jsonl", content), sinks);
  let byteOffset = 0;
  let lineCount = 0;
  let rejectCount = 0;
  for (const line of lines) {
    lineCount += 1;
    // Through JSON, as a line comes: undefined goes, __proto__ becomes a field.
    const text = typeof line === "string" ? line : JSON.stringify(line);
    const place = { lineNumber: lineCount, byteOffset, lineBytes: Buffer.byteLength(text) };
    byteOffset += place.lineBytes + 1;
    const value = parse(text);
    if (value === null) rejectCount += 1;
    const goesOn =
      value === null
        ? transform.reject("invalid_json", "not valid JSON", text.slice(0, 200), place)
        : transform.record(value, place);
    if (!goesOn) break;
  }
  transform.finish(factsOf({ lineCount, rejectCount, bytesRead: byteOffset }));
  return rows;
}

/** Rows of a session whose header is `HEADER`. */
export function readEntries(...records: readonly unknown[]): MemoryRows {
  return readLines([HEADER, ...records]);
}

export function only(rows: readonly MemoryRow[]): MemoryRow {
  const [row] = rows;
  if (row === undefined || rows.length !== 1) throw new Error(`expected one row, found ${rows.length}`);
  return row;
}

/** The given columns of each row. */
export function pick(rows: readonly MemoryRow[], ...names: readonly string[]): MemoryRow[] {
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null])));
}

export function factsOf(facts: Partial<FileFacts>): FileFacts {
  return {
    lineCount: 0,
    blankLineCount: 0,
    rejectCount: 0,
    pendingTailBytes: 0,
    bytesRead: 0,
    contentSha1: null,
    hasByteOrderMark: false,
    ...facts,
  };
}

function requestFor(path: string, content: ContentOption): ReadRequest {
  return { fileId: "f1", path, loadId: 7, content };
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: Record<string, unknown> = JSON.parse(text);
    return value;
  } catch {
    return null;
  }
}
