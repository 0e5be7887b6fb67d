import type { EntryStore } from "./entry-store.js";

/** Arguments held back for calls without a result; beyond it the oldest calls are written without one. */
export const PENDING_ARGUMENTS_BYTES = 8 * 1024 * 1024;
/** What a pending call takes beside its arguments, roughly. */
const CALL_BYTES = 256;
/** A result further from its call than this is matched by the id alone. */
const ANCESTOR_STEPS = 10_000;

const OPEN = 0;
const WRITTEN = 1;
const ANSWERED = 2;

/** A call whose row waits for the result. */
export interface PendingCall {
  readonly entrySeq: number;
  readonly callIndex: number;
  readonly entryId: string;
  readonly recordKey: string;
  readonly id: string | null;
  readonly name: string | null;
  readonly namespace: string | null;
  /** Null under `--content none` too. */
  readonly argumentsJson: string | null;
  readonly argumentsBytes: number;
  readonly targetPath: string | null;
  readonly startedAt: number | null;
}

/** The narrow facts that stay of every call with an id. */
interface Call {
  readonly entrySeq: number;
  readonly callIndex: number;
  readonly startedAt: number | null;
  /** The call before with the same id. */
  readonly previous: Call | null;
  state: number;
  pending: PendingCall | null;
}

/** The call that a result answers: with its pending row, or without where that was written before. */
export type MatchedCall = Readonly<Pick<Call, "entrySeq" | "callIndex" | "startedAt" | "pending">>;

/** The calls of a file by id. Ids are not unique: some servers repeat them each turn. */
export class ToolCalls {
  readonly #lastById = new Map<string, Call>();
  readonly #open = new Set<Call>();
  #pendingBytes = 0;

  add(pending: PendingCall, id: string): void {
    const { entrySeq, callIndex, startedAt } = pending;
    const previous = this.#lastById.get(id) ?? null;
    const call: Call = { entrySeq, callIndex, startedAt, previous, state: OPEN, pending };
    this.#lastById.set(id, call);
    this.#open.add(call);
    this.#pendingBytes += sizeOf(pending);
  }

  /** Takes the call that a result answers; null where there is none, or it has a result already. */
  answer(id: string, resultSeq: number, entries: EntryStore): MatchedCall | null {
    const last = this.#lastById.get(id) ?? null;
    if (last === null) return null;
    const call = nearestAncestor(last, resultSeq, entries);
    if (call === null || call.state === ANSWERED) return null;
    const matched: MatchedCall = { ...call };
    call.state = ANSWERED;
    this.#release(call);
    return matched;
  }

  /** Takes out the oldest pending calls until the rest is within the limit. */
  *overflow(limitBytes: number): Generator<PendingCall> {
    for (const call of this.#open) {
      if (this.#pendingBytes <= limitBytes) return;
      const pending = call.pending;
      call.state = WRITTEN;
      this.#release(call);
      if (pending !== null) yield pending;
    }
  }

  *rest(): Generator<PendingCall> {
    yield* this.overflow(-1);
  }

  #release(call: Call): void {
    this.#open.delete(call);
    if (call.pending !== null) this.#pendingBytes -= sizeOf(call.pending);
    call.pending = null;
  }
}

function sizeOf(call: PendingCall): number {
  return call.argumentsBytes + CALL_BYTES;
}

/** Nearest ancestor of the result that makes a call with the id, else the latest such call that is unanswered. */
function nearestAncestor(last: Call, resultSeq: number, entries: EntryStore): Call | null {
  let ancestor = entries.parentsSoFar[resultSeq] ?? 0;
  let call: Call | null = last;
  for (let step = 0; step < ANCESTOR_STEPS && ancestor > 0 && call !== null; step += 1) {
    if (call.entrySeq === ancestor) return firstUnanswered(call);
    if (call.entrySeq > ancestor) call = call.previous;
    else ancestor = entries.parentsSoFar[ancestor] ?? 0;
  }
  return latestUnanswered(last);
}

/** A reply can use one id twice: results then come in the order of the calls. */
function firstUnanswered(last: Call): Call {
  let first = last;
  for (let call: Call | null = last; call?.entrySeq === last.entrySeq; call = call.previous) {
    if (call.state !== ANSWERED) first = call;
  }
  return first;
}

function latestUnanswered(last: Call): Call | null {
  let call: Call | null = last;
  for (let step = 0; step < ANCESTOR_STEPS && call !== null; step += 1) {
    if (call.state !== ANSWERED) return call;
    call = call.previous;
  }
  return null;
}
