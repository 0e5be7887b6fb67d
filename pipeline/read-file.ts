import { basename } from "node:path";
import { PipelineError } from "./errors.js";
import { openSession, type SessionReading } from "./extract/read-session.js";
import type { FileResult, ReaderOutput } from "./extract/reader-output.js";
import type { ColumnBatch, ContentOption, FileFacts, ReadRequest, SessionTransform } from "./flow.js";
import { createTableBuffers, type TableBuffers } from "./transform/table-buffer.js";
import { createSessionTransform } from "./transform/transform.js";

/** Small files share batches; all their rows are handed over at the latest after so many files or bytes. */
const FILES_PER_HANDOVER = 256;
const BYTES_PER_HANDOVER = 32 * 1024 * 1024;

/** Before a file of this size all rows are handed over: should it bring its reader down, it falls alone. */
const RISKY_FILE_BYTES = 16 * 1024 * 1024;

/** Reads files one after the other into batches that they share. */
export interface FileReader {
  /** Begins a file; the caller steps until it answers false, and closes it where it stops before. */
  open(request: ReadRequest, sizeBytes: number): FileReading;
  /** Hands over what is left, after the last file. */
  finish(): void;
  recycle(batch: ColumnBatch): void;
}

export interface FileReading {
  /** Never throws: a file that can't be read becomes a result with `ok` false. */
  step(): boolean;
  close(): void;
}

/** Rows of a failed file may have been handed over before its result. All rows of a file come before it. */
export function createFileReader(
  content: ContentOption,
  handOver: (output: ReaderOutput) => void,
): FileReader {
  const batches: ColumnBatch[] = [];
  let results: FileResult[] = [];
  let bytesHeld = 0;
  let current: ReadRequest | null = null;
  let isHandingOverAll = false;

  const fileIds = (): string[] => [
    ...results.map((result) => result.fileId),
    ...(current === null ? [] : [current.fileId]),
  ];
  const buffers = createTableBuffers({
    content,
    onBatch: (batch) => {
      if (isHandingOverAll) batches.push(batch);
      else handOver({ batches: [batch], fileIds: fileIds(), results: [] });
    },
  });

  function handOverAll(): void {
    isHandingOverAll = true;
    buffers.flush();
    isHandingOverAll = false;
    const all = batches.splice(0);
    if (all.length > 0 || results.length > 0) handOver({ batches: all, fileIds: fileIds(), results });
    results = [];
    bytesHeld = 0;
  }

  return {
    open: (request, sizeBytes) => {
      if (sizeBytes >= RISKY_FILE_BYTES) handOverAll();
      current = request;
      return readInto(request, buffers, (result) => {
        current = null;
        results.push(result);
        bytesHeld += result.ok ? result.bytesRead : 0;
        if (results.length >= FILES_PER_HANDOVER || bytesHeld >= BYTES_PER_HANDOVER) handOverAll();
      });
    },
    finish: handOverAll,
    recycle: buffers.recycle,
  };
}

function readInto(
  request: ReadRequest,
  buffers: TableBuffers,
  done: (result: FileResult) => void,
): FileReading {
  const { fileId } = request;
  let transform: SessionTransform | null = null;
  let reading: SessionReading | null = null;
  const close = (): void => reading?.close();

  function advance(): FileFacts | null {
    transform ??= createSessionTransform(request, buffers.sinks);
    reading ??= openSession(request.path, transform);
    if (reading.step()) return null;
    const facts = reading.facts();
    transform.finish(facts);
    return facts;
  }

  return {
    close,
    step: () => {
      let result: FileResult;
      try {
        const facts = advance();
        if (facts === null) return true;
        const { bytesRead, pendingTailBytes, rejectCount } = facts;
        result = { fileId, ok: true, bytesRead, pendingTailBytes, rejectCount };
      } catch (error) {
        buffers.dropOpenRows();
        result = { fileId, ok: false, reason: failureOf(error, reading?.lineCount() ?? 0) };
      }
      close();
      done(result);
      return false;
    },
  };
}

/** An error of our own code may quote what it stumbled over, so only its kind and place are told. */
function failureOf(error: unknown, lineCount: number): string {
  if (error instanceof PipelineError) return error.message;
  const kind = error instanceof Error ? error.name : "error";
  const frame = error instanceof Error ? /\(?([^\s()]+:\d+:\d+)\)?$/m.exec(framesOf(error)) : null;
  const place = frame === null ? "" : ` at ${basename(frame[1] ?? "")}`;
  return `${kind}${place} near line ${lineCount}`;
}

function framesOf(error: Error): string {
  const lines = (error.stack ?? "").split("\n");
  return lines.filter((line) => /^\s+at /.test(line)).join("\n");
}
