import { setImmediate as nextTurn } from "node:timers/promises";
import { PipelineError } from "./errors.js";
import type { FileResult, ReaderOutput } from "./extract/reader-output.js";
import { readInPool } from "./extract/reader-pool.js";
import type { ColumnBatch, ReadRequest } from "./flow.js";
import { createFileReader } from "./read-file.js";

export type { FileResult } from "./extract/reader-output.js";

/** Less than this is read on the main thread: workers cost 50 ms and a warm-up each (load-path, 1). */
const INLINE_BYTES = 20 * 1000 * 1000;

const STALL_MS = 120_000;

/** What a line may need is measured against this (see LINE_LIMITS). */
const READER_HEAP_MB = 2048;

export interface ReadFilesOptions {
  /** Worker threads at most; 0 reads on the main thread. */
  readonly jobs: number;
  /** Size of all files together. */
  readonly totalBytes: number;
  sizeOf(request: ReadRequest): number;
  readonly signal: AbortSignal;
  /** One at a time. The batch's memory is used again once the promise resolves. */
  onBatch(batch: ColumnBatch, fileIds: readonly string[]): Promise<void>;
  /** After all batches of the file. Of a file with `ok` false, rows may have been handed over. */
  onFileDone(result: FileResult): void;
  /**
   * Takes out the rows handed over of files that are read once more because a worker was lost with a part
   * of them. Without it such files fail with the worker.
   */
  readonly onRestart?: ((fileIds: readonly string[]) => Promise<void>) | undefined;
  /** Script of the workers. */
  readonly workerUrl?: URL;
  /** Heap of a worker in megabytes. */
  readonly readerHeapMb?: number;
  /** How long a worker may show no progress, in milliseconds. */
  readonly stallMs?: number;
}

/**
 * Reads files into batches of rows, in worker threads where there is enough to read. A file that can't be
 * read, or whose worker dies or stalls, gives a result with `ok` false and the rest goes on. Throws what a
 * callback throws, and a PipelineError of code ABORTED when the signal fires; no callback runs after that.
 */
export async function readFiles(requests: readonly ReadRequest[], options: ReadFilesOptions): Promise<void> {
  const { signal } = options;
  try {
    signal.throwIfAborted();
    if (new Set(requests.map((request) => request.content)).size > 1)
      throw new RangeError("one run reads all files with the same content option");
    const isSmall = options.totalBytes < INLINE_BYTES || requests.length === 0;
    await (isSmall || options.jobs === 0 ? readInline(requests, options) : readInWorkers(requests, options));
  } catch (error) {
    if (!signal.aborted || error !== signal.reason || error instanceof PipelineError) throw error;
    throw new PipelineError("ABORTED", "stopped before all files were read", { cause: error });
  }
}

async function readInline(requests: readonly ReadRequest[], options: ReadFilesOptions): Promise<void> {
  const outputs: ReaderOutput[] = [];
  const reader = createFileReader(requests[0]?.content ?? "none", (output) => outputs.push(output));

  async function deliver(): Promise<void> {
    for (const { batches, fileIds, results } of outputs.splice(0)) {
      for (const batch of batches) {
        options.signal.throwIfAborted();
        await options.onBatch(batch, fileIds);
        reader.recycle(batch);
      }
      for (const result of results) options.onFileDone(result);
    }
    await nextTurn();
    options.signal.throwIfAborted();
  }

  for (const request of requests) {
    const reading = reader.open(request, options.sizeOf(request));
    try {
      while (reading.step()) await deliver();
    } finally {
      reading.close();
    }
    await deliver();
  }
  reader.finish();
  await deliver();
}

async function readInWorkers(requests: readonly ReadRequest[], options: ReadFilesOptions): Promise<void> {
  const bySize = requests
    .map((request) => ({ request, sizeBytes: options.sizeOf(request) }))
    .toSorted((one, other) => other.sizeBytes - one.sizeBytes);
  await readInPool({
    requests: bySize.map(({ request }) => request),
    sizesBytes: bySize.map(({ sizeBytes }) => sizeBytes),
    readerCount: Math.min(options.jobs, requests.length),
    workerUrl: options.workerUrl ?? new URL(import.meta.resolve("#extract-worker")),
    readerHeapMb: options.readerHeapMb ?? READER_HEAP_MB,
    stallMs: options.stallMs ?? STALL_MS,
    signal: options.signal,
    onBatch: (batch, fileIds) => options.onBatch(batch, fileIds),
    onFileDone: (result) => options.onFileDone(result),
    onRestart: options.onRestart,
  });
}
