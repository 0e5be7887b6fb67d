import { type EntryStore, FLAG } from "./entry-store.js";
import type { Tree } from "./tree.js";

/** What compactions and context edits say, by their position. */
export interface ContextFacts {
  readonly firstKeptIds: Map<number, string>;
  readonly editTargets: Map<number, string>;
}

export interface Context {
  /** Place of each entry in what Pi would send now, from 1; 0 where it is left out. */
  readonly positions: Int32Array;
  /** 1 where a context edit replaces the content. */
  readonly replaced: Uint8Array;
}

/**
 * What Pi 1.6 would send from the last entry of a file (pi-format section 7). Pi follows parents alone: an
 * orphan ends its branch.
 */
export function findContext(entries: EntryStore, tree: Tree, facts: ContextFacts): Context {
  const selected = selectEntries(entries, branchOf(tree), facts);
  const edits = lastEdits(entries, selected, facts);
  const positions = new Int32Array(tree.count + 1);
  const replaced = new Uint8Array(tree.count + 1);
  let position = 0;
  for (const seq of selected) {
    if (!entries.has(seq, FLAG.SENT)) continue;
    const edit = entries.has(seq, FLAG.EDITABLE) ? edits.get(entries.ids[seq] ?? "") : undefined;
    if (edit !== undefined && entries.has(edit, FLAG.OMITS)) continue;
    position += 1;
    positions[seq] = position;
    if (edit !== undefined) replaced[seq] = 1;
  }
  return { positions, replaced };
}

function branchOf(tree: Tree): number[] {
  const branch: number[] = [];
  for (let seq = tree.count; seq !== 0; seq = tree.parents[seq] ?? 0) branch.push(seq);
  return branch.reverse();
}

/** The last compaction, what it keeps, and what comes after it; without one, the whole branch. */
function selectEntries(entries: EntryStore, branch: readonly number[], facts: ContextFacts): number[] {
  const compactionAt = branch.findLastIndex((seq) => entries.has(seq, FLAG.COMPACTION));
  const compaction = branch[compactionAt];
  if (compaction === undefined) return [...branch];
  const dropped = FLAG.COMPACTION | (entries.has(compaction, FLAG.HAS_SYSTEM_MESSAGE) ? FLAG.SYSTEM : 0);
  const kept = keptBefore(entries, branch, compactionAt, facts.firstKeptIds.get(compaction));
  return [compaction, ...kept.filter((seq) => !entries.has(seq, dropped)), ...branch.slice(compactionAt + 1)];
}

function keptBefore(
  entries: EntryStore,
  branch: readonly number[],
  compactionAt: number,
  firstKeptId: string | undefined,
): number[] {
  const before = branch.slice(0, compactionAt);
  const firstKept = before.findIndex((seq) => entries.ids[seq] === firstKeptId);
  return firstKept === -1 ? [] : before.slice(firstKept);
}

/** By target, the last edit among the entries that the context is made from. */
function lastEdits(
  entries: EntryStore,
  selected: readonly number[],
  facts: ContextFacts,
): ReadonlyMap<string, number> {
  const edits = new Map<string, number>();
  for (const seq of selected) {
    const target = entries.has(seq, FLAG.CONTEXT_EDIT) ? facts.editTargets.get(seq) : undefined;
    if (target !== undefined) edits.set(target, seq);
  }
  return edits;
}
