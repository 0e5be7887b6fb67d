import type { Tree } from "./tree.js";

export interface Branches {
  /** Leaf whose branch owns each entry. */
  readonly leaves: Int32Array;
  /** 1 on the path from the last entry to its root. */
  readonly active: Uint8Array;
}

/**
 * The active branch first, then each leaf in file order, takes the entries above it that no one has yet. The
 * leaf on disk is the last entry of the file, even where others hang under it.
 */
export function findBranches(tree: Tree): Branches {
  const leaves = new Int32Array(tree.count + 1);
  const active = markActive(tree);
  for (let seq = 1; seq <= tree.count; seq += 1) if (active[seq] === 1) leaves[seq] = tree.count;
  for (let leaf = 1; leaf <= tree.count; leaf += 1) {
    if (tree.childCounts[leaf] !== 0) continue;
    for (let seq = leaf; seq !== 0 && leaves[seq] === 0; seq = tree.parents[seq] ?? 0) leaves[seq] = leaf;
  }
  return { leaves, active };
}

/** A lost record cuts a conversation in two: its orphan goes on from the entry before it (design rule 10). */
function markActive(tree: Tree): Uint8Array {
  const active = new Uint8Array(tree.count + 1);
  let seq = tree.count;
  while (seq !== 0 && active[seq] === 0) {
    active[seq] = 1;
    seq = tree.orphans[seq] === 1 ? seq - 1 : (tree.parents[seq] ?? 0);
  }
  return active;
}
