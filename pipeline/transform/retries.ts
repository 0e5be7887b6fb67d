import { type EntryStore, FLAG } from "./entry-store.js";
import type { Tree } from "./tree.js";

const REQUEST_BELOW = 1;
const REPLY_BELOW = 2;

export interface Retry {
  readonly seq: number;
  readonly isRetried: boolean;
  readonly hasSucceeded: boolean;
}

/**
 * For each failed request: whether another request hangs below it before the next prompt, on any branch, and
 * whether one of those gave a reply.
 */
export function* findRetries(entries: EntryStore, tree: Tree): Generator<Retry> {
  const below = requestsBelow(entries, tree);
  for (let seq = 1; seq <= entries.count; seq += 1) {
    if (!entries.has(seq, FLAG.FAILED)) continue;
    const facts = below[seq] ?? 0;
    yield { seq, isRetried: (facts & REQUEST_BELOW) !== 0, hasSucceeded: (facts & REPLY_BELOW) !== 0 };
  }
}

function requestsBelow(entries: EntryStore, tree: Tree): Uint8Array {
  const below = new Uint8Array(tree.count + 1);
  for (let index = tree.order.length - 1; index >= 0; index -= 1) {
    const seq = tree.order[index] ?? 0;
    const flags = entries.flagsOf(seq);
    if ((flags & FLAG.USER) !== 0) continue;
    const own =
      ((flags & FLAG.ASSISTANT) !== 0 ? REQUEST_BELOW : 0) | ((flags & FLAG.REPLY) !== 0 ? REPLY_BELOW : 0);
    const parent = tree.parents[seq] ?? 0;
    below[parent] = (below[parent] ?? 0) | (below[seq] ?? 0) | own;
  }
  return below;
}
