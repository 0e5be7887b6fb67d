import { Worker } from "node:worker_threads";
import { PipelineError } from "../errors.js";
import type { ColumnBatch, ReadRequest } from "../flow.js";
import type { FileResult, ReaderOutput } from "./reader-output.js";
import { memoryOf } from "./reader-output.js";
import { ReaderSignals, type ReaderTask, WorkList } from "./reader-task.js";

/** A thread that hangs in a system call can't be ended; it is left behind. */
const TERMINATE_MS = 5_000;

export interface PoolOptions {
  /** Largest first. */
  readonly requests: readonly ReadRequest[];
  readonly sizesBytes: readonly number[];
  readonly readerCount: number;
  readonly workerUrl: URL;
  readonly readerHeapMb: number;
  /** A worker that shows no progress for so long is ended. */
  readonly stallMs: number;
  readonly signal: AbortSignal;
  onBatch(batch: ColumnBatch, fileIds: readonly string[]): Promise<void>;
  onFileDone(result: FileResult): void;
  /** Takes out the rows that were handed over of files that are about to be read once more. */
  readonly onRestart: ((fileIds: readonly string[]) => Promise<void>) | undefined;
}

/** Reads files in worker threads. Callbacks never overlap. */
export async function readInPool(options: PoolOptions): Promise<void> {
  await new ReaderPool(options).run();
}

interface Reader {
  readonly number: number;
  readonly worker: Worker;
  readonly signals: ReaderSignals;
  /** Why it is lost; its files that were not handed over go to another. */
  lostBecause: string | null;
  isGone: boolean;
  lastBeats: number;
  lastBeatAtMs: number;
  leave(): void;
}

class ReaderPool {
  private readonly options: PoolOptions;
  private readonly workMemory: SharedArrayBuffer;
  private readonly work: WorkList;
  private readonly readers = new Set<Reader>();
  private readonly settled = new Set<string>();
  /** Files without a result that may have rows handed over. */
  private readonly begun = new Set<string>();
  private queue: Promise<void> = Promise.resolve();
  private failure: { readonly error: unknown } | null = null;
  private readerCount = 0;

  constructor(options: PoolOptions) {
    this.options = options;
    this.workMemory = WorkList.memory(options.requests.length);
    this.work = new WorkList(this.workMemory);
  }

  async run(): Promise<void> {
    const { signal, readerCount, stallMs } = this.options;
    const abort = (): void => this.fail(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    const watch = setInterval(() => this.endStalled(), Math.min(stallMs / 4, 5_000));
    try {
      await Promise.all(Array.from({ length: readerCount }, () => this.keepReading([])));
      // A worker that dies between taking a file and saying so leaves it to nobody.
      if (this.unsettled().length > 0) await this.keepReading(this.unsettled());
    } finally {
      clearInterval(watch);
      signal.removeEventListener("abort", abort);
      await this.queue;
    }
    if (this.failure !== null) throw this.failure.error;
    const left = this.unsettled().length;
    if (left > 0)
      throw new PipelineError("FAILED", `readers of session files ended with ${left} files unread`);
  }

  /** One worker, and another in its place for as long as one is lost and files are left. */
  private async keepReading(first: readonly number[]): Promise<void> {
    let left: readonly number[] | null = first;
    while (left !== null && this.failure === null) {
      const reader = await this.untilGone(left);
      left = null;
      this.enqueue(async () => {
        const isComplete = this.leftBy(reader).length === 0;
        const reason = reader.lostBecause ?? (isComplete ? null : "its reader ended too early");
        left = reason === null ? null : await this.giveUp(reader, reason);
      });
      await this.queue;
    }
  }

  private untilGone(first: readonly number[]): Promise<Reader> {
    return new Promise((resolve) => {
      const reader = this.startReader(first, () => {
        reader.isGone = true;
        this.readers.delete(reader);
        resolve(reader);
      });
      const { worker } = reader;
      worker.on("message", (output: ReaderOutput) => {
        if (!reader.isGone) this.enqueue(() => this.take(reader, output));
      });
      worker.on("error", (error) => {
        reader.lostBecause ??= codeOf(error);
      });
      worker.on("exit", (exitCode) => {
        if (exitCode !== 0) reader.lostBecause ??= `its reader ended with code ${exitCode}`;
        reader.leave();
      });
    });
  }

  private startReader(first: readonly number[], leave: () => void): Reader {
    const { requests, sizesBytes, workerUrl, readerHeapMb } = this.options;
    const signals = ReaderSignals.memory();
    this.readerCount += 1;
    const readerNumber = this.readerCount;
    const task: ReaderTask = { readerNumber, requests, sizesBytes, first, work: this.workMemory, signals };
    const worker = new Worker(workerUrl, {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: readerHeapMb },
    });
    const reader: Reader = {
      number: readerNumber,
      worker,
      signals: new ReaderSignals(signals),
      lostBecause: null,
      isGone: false,
      lastBeats: 0,
      lastBeatAtMs: performance.now(),
      leave,
    };
    this.readers.add(reader);
    return reader;
  }

  private async take(reader: Reader, output: ReaderOutput): Promise<void> {
    for (const fileId of output.fileIds) this.begun.add(fileId);
    for (const batch of output.batches) {
      if (this.failure !== null) return;
      await this.options.onBatch(batch, output.fileIds);
    }
    for (const result of output.results) this.settle(result);
    if (reader.isGone) return;
    reader.worker.postMessage(output.batches, memoryOf(output.batches));
    reader.signals.giveCredit();
  }

  /** Blames the file that the reader had begun and answers the others that it had not handed over. */
  private async giveUp(reader: Reader, reason: string): Promise<readonly number[] | null> {
    const current = reader.signals.current();
    if (current === null)
      throw new PipelineError("FAILED", `a reader of session files can't start: ${reason}`);
    if (!this.isSettled(current)) this.settle({ fileId: this.fileId(current), ok: false, reason });
    const begun = this.leftBy(reader)
      .map((index) => this.fileId(index))
      .filter((fileId) => this.begun.has(fileId));
    if (begun.length > 0 && this.options.onRestart !== undefined) {
      await this.options.onRestart(begun);
    } else {
      for (const fileId of begun)
        this.settle({ fileId, ok: false, reason: `lost with a file read after it: ${reason}` });
    }
    const rest = this.leftBy(reader);
    return rest.length > 0 || this.work.hasMore() ? rest : null;
  }

  private settle(result: FileResult): void {
    this.settled.add(result.fileId);
    this.begun.delete(result.fileId);
    this.options.onFileDone(result);
  }

  private leftBy(reader: Reader): number[] {
    return this.work.claimedBy(reader.number).filter((index) => !this.isSettled(index));
  }

  private unsettled(): number[] {
    return [...this.options.requests.keys()].filter((index) => !this.isSettled(index));
  }

  private isSettled(index: number): boolean {
    return this.settled.has(this.fileId(index));
  }

  private fileId(index: number): string {
    return this.options.requests[index]?.fileId ?? "";
  }

  private enqueue(job: () => Promise<void>): void {
    this.queue = this.queue
      .then(() => (this.failure === null ? job() : undefined))
      .catch((error: unknown) => this.fail(error));
  }

  private fail(error: unknown): void {
    this.failure ??= { error };
    for (const reader of this.readers) this.end(reader, "the run was stopped");
  }

  private endStalled(): void {
    const now = performance.now();
    for (const reader of this.readers) {
      const beats = reader.signals.beats();
      if (beats !== reader.lastBeats) reader.lastBeatAtMs = now;
      reader.lastBeats = beats;
      const seconds = Math.round((now - reader.lastBeatAtMs) / 1000);
      if (now - reader.lastBeatAtMs >= this.options.stallMs)
        this.end(reader, `no progress for ${seconds} seconds`);
    }
  }

  private end(reader: Reader, reason: string): void {
    if (reader.lostBecause !== null) return;
    reader.lostBecause = reason;
    const timer = setTimeout(() => {
      reader.worker.unref();
      reader.leave();
    }, TERMINATE_MS);
    void reader.worker.terminate().finally(() => clearTimeout(timer));
  }
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "error";
  return code === "ERR_WORKER_OUT_OF_MEMORY" ? "its reader ran out of memory" : `its reader failed: ${code}`;
}
