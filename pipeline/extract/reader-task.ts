import type { ReadRequest } from "../flow.js";

/** Outputs of a worker that the main thread has not consumed yet. */
export const CREDITS_PER_READER = 4;

/** Short, so that a worker that waits for the main thread still shows that it lives. */
const WAIT_MS = 100;

const CREDITS = 0;
const HEARTBEAT = 1;
const CURRENT = 2;

const NO_FILE = -1;

/** What a worker is started with. All workers of a run share `work`; `signals` is its own. */
export interface ReaderTask {
  readonly readerNumber: number;
  /** Largest first. */
  readonly requests: readonly ReadRequest[];
  readonly sizesBytes: readonly number[];
  /** Files to read before any others: those that a lost worker had not handed over. */
  readonly first: readonly number[];
  readonly work: SharedArrayBuffer;
  readonly signals: SharedArrayBuffer;
}

/** Which file is next, and which reader took which file; readers count from 1. */
export class WorkList {
  private readonly cells: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.cells = new Int32Array(memory);
  }

  static memory(fileCount: number): SharedArrayBuffer {
    return new SharedArrayBuffer((fileCount + 1) * 4);
  }

  /** Index of a file that nobody has taken, or null. */
  takeNext(): number | null {
    const index = Atomics.add(this.cells, 0, 1);
    return index < this.cells.length - 1 ? index : null;
  }

  hasMore(): boolean {
    return Atomics.load(this.cells, 0) < this.cells.length - 1;
  }

  claim(index: number, readerNumber: number): void {
    Atomics.store(this.cells, index + 1, readerNumber);
  }

  claimedBy(readerNumber: number): number[] {
    const claims = this.cells.subarray(1);
    return [...claims.keys()].filter((index) => claims[index] === readerNumber);
  }
}

/** What a worker and the main thread tell each other while the worker is too busy for messages. */
export class ReaderSignals {
  private readonly cells: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.cells = new Int32Array(memory);
  }

  static memory(): SharedArrayBuffer {
    const memory = new SharedArrayBuffer(3 * 4);
    const cells = new Int32Array(memory);
    cells[CREDITS] = CREDITS_PER_READER;
    cells[CURRENT] = NO_FILE;
    return memory;
  }

  beat(): void {
    Atomics.add(this.cells, HEARTBEAT, 1);
  }

  beats(): number {
    return Atomics.load(this.cells, HEARTBEAT);
  }

  begin(index: number): void {
    Atomics.store(this.cells, CURRENT, index);
  }

  /** File that was begun last, or null. */
  current(): number | null {
    const index = Atomics.load(this.cells, CURRENT);
    return index === NO_FILE ? null : index;
  }

  /** Waits until the main thread can take another output. Blocks the thread: for workers only. */
  takeCredit(): void {
    while (Atomics.load(this.cells, CREDITS) <= 0) {
      this.beat();
      Atomics.wait(this.cells, CREDITS, 0, WAIT_MS);
    }
    Atomics.sub(this.cells, CREDITS, 1);
    this.beat();
  }

  giveCredit(): void {
    Atomics.add(this.cells, CREDITS, 1);
    Atomics.notify(this.cells, CREDITS);
  }
}
