import { describe, expect, it } from "vitest";
import { findBranches } from "../../pipeline/transform/branches.js";
import { findContext } from "../../pipeline/transform/context.js";
import { EntryStore } from "../../pipeline/transform/entry-store.js";
import { findRetries } from "../../pipeline/transform/retries.js";
import { buildTree } from "../../pipeline/transform/tree.js";
import { assistant, entry, user } from "../support/build-records.js";
import { only, pick, readEntries } from "../support/read-rows.js";

/** Links of entries given as id and parent, in file order. */
function linksOf(...entries: readonly (readonly [string, string | null])[]) {
  return readEntries(...entries.map(([id, parentId]) => user(id, parentId))).entry_links;
}

describe("the tree of entries", () => {
  it("has a nested set, depths and roots", () => {
    const links = linksOf(["a1", null], ["a2", "a1"], ["a3", "a2"], ["a4", "a1"], ["a5", null]);
    const names = ["parent_entry_seq", "root_entry_seq", "depth", "tree_in", "tree_out", "child_count"];
    expect(pick(links, ...names).map((row) => Object.values(row))).toEqual([
      [null, 1, 0, 1, 8, 2],
      [1, 1, 1, 2, 5, 1],
      [2, 1, 2, 3, 4, 0],
      [1, 1, 1, 6, 7, 0],
      [null, 5, 0, 9, 10, 0],
    ]);
  });

  it("looks a parent up as the last entry of the file with that id", () => {
    const links = linksOf(["a1", null], ["a2", "a1"], ["a2", "a1"], ["a3", "a2"]);
    expect(links.map((row) => row["parent_entry_seq"])).toEqual([null, 1, 1, 3]);
  });

  it("takes a parent that comes later in the file", () => {
    const links = linksOf(["a1", "a2"], ["a2", null]);
    expect(pick(links, "parent_entry_seq", "depth", "is_orphan").map((row) => Object.values(row))).toEqual([
      [2, 1, false],
      [null, 0, false],
    ]);
  });

  it("knows jumps: another parent than the entry before, and a root that is not first", () => {
    const links = linksOf(["a1", null], ["a2", "a1"], ["a3", "a1"], ["a4", null], ["a5", "gone"]);
    expect(links.map((row) => row["is_jump"])).toEqual([false, false, true, true, false]);
  });

  it("survives a chain of half a million entries", () => {
    const entries = new EntryStore();
    const count = 500_000;
    for (let seq = 1; seq <= count; seq += 1) entries.add(`a${seq}`, seq === 1 ? null : `a${seq - 1}`, false);
    const tree = buildTree(entries);
    const branches = findBranches(tree);
    expect([tree.depths[count], tree.entered[count], tree.left[count], tree.left[1]]).toEqual([
      count - 1,
      count,
      count + 1,
      2 * count,
    ]);
    expect([branches.active[1], branches.leaves[1]]).toEqual([1, count]);
    const context = findContext(entries, tree, { firstKeptIds: new Map(), editTargets: new Map() });
    expect(context.positions[count]).toBe(0);
    expect([...findRetries(entries, tree)]).toEqual([]);
  });
});

describe("loops of parents", () => {
  it("are cut at their first entry, which is then a root and no orphan", () => {
    const rows = readEntries(user("a1", "a3"), user("a2", "a1"), user("a3", "a2"), user("a4", "a2"));
    expect(
      pick(rows.entry_links, "parent_entry_seq", "is_orphan", "depth", "is_on_active_branch").map((row) =>
        Object.values(row),
      ),
    ).toEqual([
      [null, false, 0, true],
      [1, false, 1, true],
      [2, false, 2, false],
      [2, false, 2, true],
    ]);
    expect(only(rows.files)["pi_is_comparable"]).toBe(false);
  });

  it("of one entry are cut too", () => {
    const links = linksOf(["a1", "a1"], ["a2", "a1"]);
    expect(links.map((row) => row["parent_entry_seq"])).toEqual([null, 1]);
  });

  it("that are entered from outside are cut once", () => {
    const links = linksOf(["a1", "a3"], ["a2", "a4"], ["a3", "a2"], ["a4", "a3"], ["a5", "a4"]);
    expect(links.map((row) => row["parent_entry_seq"])).toEqual([3, null, 2, 3, 4]);
  });

  it("of two that are apart are both cut", () => {
    const links = linksOf(["a1", "a2"], ["a2", "a1"], ["a3", "a4"], ["a4", "a3"]);
    expect(links.map((row) => row["parent_entry_seq"])).toEqual([null, 1, null, 3]);
  });
});

describe("orphans", () => {
  it("have no parent and are joined to the entry before on the active branch", () => {
    const links = linksOf(["a1", null], ["a2", "a1"], ["a3", "gone"], ["a4", "a3"]);
    expect(
      pick(links, "parent_entry_seq", "is_orphan", "is_on_active_branch", "branch_leaf_seq").map((row) =>
        Object.values(row),
      ),
    ).toEqual([
      [null, false, true, 4],
      [1, false, true, 4],
      [null, true, true, 4],
      [3, false, true, 4],
    ]);
  });

  it("whose entry before hangs under them do not make the walk endless", () => {
    const links = linksOf(["a1", "a2"], ["a2", "gone"]);
    expect(links.map((row) => row["is_on_active_branch"])).toEqual([true, true]);
  });
});

describe("branches", () => {
  it("take their entries: the active one first, then by their leaf's position", () => {
    const links = linksOf(
      ["a1", null],
      ["a2", "a1"],
      ["a3", "a2"],
      ["a4", "a2"],
      ["a5", "a1"],
      ["b1", null],
      ["a6", "a5"],
    );
    expect(links.map((row) => row["branch_leaf_seq"])).toEqual([7, 3, 3, 4, 7, 6, 7]);
    expect(links.map((row) => row["is_on_active_branch"])).toEqual([
      true,
      false,
      false,
      false,
      true,
      false,
      true,
    ]);
  });

  it("end on disk at the last entry of the file, even where others hang under it", () => {
    const rows = readEntries(user("a1", "a3"), user("a2", null), user("a3", "a2"));
    expect(rows.entry_links.map((row) => row["branch_leaf_seq"])).toEqual([1, 3, 3]);
    expect(pick(rows.sessions, "leaf_entry_id", "leaf_entry_seq")).toEqual([
      { leaf_entry_id: "a3", leaf_entry_seq: 3 },
    ]);
  });
});

describe("turns", () => {
  it("begin with the nearest prompt at or above the entry", () => {
    const rows = readEntries(
      entry("model_change", "a1", null, {}),
      user("a2", "a1"),
      assistant("a3", "a2"),
      user("a4", "a3"),
      assistant("a5", "a2"),
    );
    expect(rows.entry_links.map((row) => row["turn_entry_seq"])).toEqual([null, 2, 2, 4, 2]);
  });
});
