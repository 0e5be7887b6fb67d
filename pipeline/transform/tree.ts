import { type EntryStore, FLAG } from "./entry-store.js";

/**
 * The tree of a file's entries. All arrays go by position, from 1; 0 stands for none. Nothing here recurses:
 * chains of a million entries are real.
 */
export interface Tree {
  readonly count: number;
  readonly parents: Int32Array;
  /** 1 where the parent is named but not in the file. */
  readonly orphans: Uint8Array;
  readonly roots: Int32Array;
  readonly depths: Int32Array;
  readonly childCounts: Int32Array;
  /** Entries so that each stands after its parent; children of one entry in file order. */
  readonly order: Int32Array;
  readonly entered: Int32Array;
  readonly left: Int32Array;
  /** True where parents formed a loop, which Pi's own walk to the root does not survive. */
  readonly hadLoop: boolean;
}

export function buildTree(entries: EntryStore): Tree {
  const { parents, orphans } = resolveParents(entries);
  const hadLoop = cutLoops(parents);
  return { parents, orphans, hadLoop, ...walk(parents) };
}

/** A parent id means the last entry of the file that has it, as in Pi's own look-up. */
function resolveParents(entries: EntryStore): { parents: Int32Array; orphans: Uint8Array } {
  const parents = new Int32Array(entries.count + 1);
  const orphans = new Uint8Array(entries.count + 1);
  for (let seq = 1; seq <= entries.count; seq += 1) {
    if (entries.has(seq, FLAG.FOLLOWS)) {
      parents[seq] = seq - 1;
      continue;
    }
    const parentId = entries.parentIds[seq] ?? null;
    if (parentId === null) continue;
    parents[seq] = entries.lastById.get(parentId) ?? 0;
    if (parents[seq] === 0) orphans[seq] = 1;
  }
  return { parents, orphans };
}

const UNSEEN = 0;
const ON_PATH = 1;
const DONE = 2;

/** Makes the first entry of every loop of parents a root; true where there was one. */
function cutLoops(parents: Int32Array): boolean {
  let hadLoop = false;
  const states = new Uint8Array(parents.length);
  for (let start = 1; start < parents.length; start += 1) {
    let seq = start;
    while (seq !== 0 && states[seq] === UNSEEN) {
      states[seq] = ON_PATH;
      seq = parents[seq] ?? 0;
    }
    const within = seq !== 0 && states[seq] === ON_PATH ? seq : 0;
    for (seq = start; seq !== 0 && states[seq] === ON_PATH; seq = parents[seq] ?? 0) states[seq] = DONE;
    if (within === 0) continue;
    parents[firstOfLoop(parents, within)] = 0;
    hadLoop = true;
  }
  return hadLoop;
}

function firstOfLoop(parents: Int32Array, within: number): number {
  let first = within;
  for (let seq = parents[within] ?? 0; seq !== within; seq = parents[seq] ?? 0) {
    if (seq < first) first = seq;
  }
  return first;
}

function walk(parents: Int32Array): Omit<Tree, "parents" | "orphans" | "hadLoop"> {
  const size = parents.length;
  const { firstChildren, nextSiblings, childCounts } = linkChildren(parents);
  const tree = {
    count: size - 1,
    roots: new Int32Array(size),
    depths: new Int32Array(size),
    childCounts,
    order: new Int32Array(size - 1),
    entered: new Int32Array(size),
    left: new Int32Array(size),
  };
  let tick = 0;
  let visited = 0;
  for (let root = 1; root < size; root += 1) {
    if (parents[root] !== 0) continue;
    let seq = root;
    while (seq !== 0) {
      const parent = parents[seq] ?? 0;
      tree.entered[seq] = tick += 1;
      tree.order[visited] = seq;
      visited += 1;
      tree.roots[seq] = root;
      tree.depths[seq] = parent === 0 ? 0 : (tree.depths[parent] ?? 0) + 1;
      let next = firstChildren[seq] ?? 0;
      while (next === 0 && seq !== 0) {
        tree.left[seq] = tick += 1;
        // Siblings of a root are other roots, which the outer loop visits.
        next = seq === root ? 0 : (nextSiblings[seq] ?? 0);
        seq = seq === root ? 0 : (parents[seq] ?? 0);
      }
      seq = next;
    }
  }
  return tree;
}

function linkChildren(parents: Int32Array): {
  firstChildren: Int32Array;
  nextSiblings: Int32Array;
  childCounts: Int32Array;
} {
  const firstChildren = new Int32Array(parents.length);
  const nextSiblings = new Int32Array(parents.length);
  const childCounts = new Int32Array(parents.length);
  for (let seq = parents.length - 1; seq >= 1; seq -= 1) {
    const parent = parents[seq] ?? 0;
    if (parent === 0) continue;
    nextSiblings[seq] = firstChildren[parent] ?? 0;
    firstChildren[parent] = seq;
    childCounts[parent] = (childCounts[parent] ?? 0) + 1;
  }
  return { firstChildren, nextSiblings, childCounts };
}
