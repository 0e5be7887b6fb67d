/** What later steps need to know of an entry, one bit each. */
export const FLAG = {
  ASSISTANT: 1,
  USER: 2,
  FAILED: 4,
  REPLY: 8,
  /** Gives Pi a message for its context. */
  SENT: 16,
  SYSTEM: 32,
  COMPACTION: 64,
  /** Compaction that carries the whole system message. */
  HAS_SYSTEM_MESSAGE: 128,
  CONTEXT_EDIT: 256,
  /** Context edit that leaves its target out. */
  OMITS: 512,
  /** Context edits may aim at it. */
  EDITABLE: 1024,
  /** Hangs under the entry before it, whatever ids say. */
  FOLLOWS: 2048,
} as const;

const FIRST_CAPACITY = 256;

/**
 * The narrow facts that are kept of every entry of a file until its end. Positions count from 1, so 0 stands
 * for none.
 */
export class EntryStore {
  count = 0;
  readonly ids: string[] = [""];
  readonly parentIds: (string | null)[] = [null];
  flags = new Uint16Array(FIRST_CAPACITY);
  /** Parent as far as it is known when the entry is read: always an earlier entry. */
  parentsSoFar = new Int32Array(FIRST_CAPACITY);
  /** Index of the model in use on the branch, 0 while none is known. */
  models = new Int32Array(FIRST_CAPACITY);
  /** Last entry with an id, as Pi looks ids up. */
  readonly lastById = new Map<string, number>();

  add(id: string, parentId: string | null, follows: boolean): number {
    const seq = this.count + 1;
    if (seq >= this.flags.length) this.#grow();
    const parent = follows ? this.count : parentId === null ? 0 : (this.lastById.get(parentId) ?? 0);
    this.count = seq;
    this.ids.push(id);
    // The parent's own string is shared: a file of a million entries holds each id once.
    this.parentIds.push(parent === 0 ? parentId : (this.ids[parent] ?? null));
    this.flags[seq] = follows ? FLAG.FOLLOWS : 0;
    this.parentsSoFar[seq] = parent;
    this.models[seq] = this.models[parent] ?? 0;
    this.lastById.set(id, seq);
    return seq;
  }

  mark(seq: number, flags: number): void {
    this.flags[seq] = this.flagsOf(seq) | flags;
  }

  unmark(seq: number, flags: number): void {
    this.flags[seq] = this.flagsOf(seq) & ~flags;
  }

  flagsOf(seq: number): number {
    return this.flags[seq] ?? 0;
  }

  has(seq: number, flag: number): boolean {
    return (this.flagsOf(seq) & flag) !== 0;
  }

  #grow(): void {
    const capacity = this.flags.length * 2;
    this.flags = grown(this.flags, new Uint16Array(capacity));
    this.parentsSoFar = grown(this.parentsSoFar, new Int32Array(capacity));
    this.models = grown(this.models, new Int32Array(capacity));
  }
}

function grown<T extends Uint16Array | Int32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
