import type { LooseRow, RowValue } from "./warehouse-rows.js";

/** An entry of a hand-made session: what hangs under what, and columns to set. */
export interface TreeEntry {
  readonly id: string;
  /** Id of the parent; the entry before by default, null for a root. */
  readonly under?: string | null;
  readonly role?: string;
  readonly columns?: Readonly<Record<string, RowValue>>;
}

interface Node {
  readonly entry: TreeEntry;
  readonly seq: number;
  readonly parent: Node | null;
  readonly children: Node[];
}

/** Rows of `entries` with the columns of the tree worked out; the last entry is the leaf on disk. */
export function treeRows(sessionKey: string, entries: readonly TreeEntry[]): LooseRow[] {
  const nodes: Node[] = [];
  for (const [index, entry] of entries.entries()) {
    const parent =
      entry.under === undefined ? nodes.at(-1) : nodes.find((node) => node.entry.id === entry.under);
    const node: Node = { entry, seq: index + 1, parent: parent ?? null, children: [] };
    parent?.children.push(node);
    nodes.push(node);
  }
  const marks = nestedSet(nodes);
  const owners = branchOwners(nodes);
  const active = new Set(pathOf(nodes.at(-1)));

  return nodes.map((node) => ({
    session_key: sessionKey,
    entry_seq: node.seq,
    entry_id: node.entry.id,
    record_key: node.entry.id,
    own_record_key: node.entry.id,
    has_entry_id: true,
    owner_session_key: sessionKey,
    parent_entry_id: node.parent?.entry.id ?? null,
    parent_entry_seq: node.parent?.seq ?? null,
    root_entry_seq: pathOf(node).at(-1)?.seq ?? null,
    turn_entry_seq: pathOf(node).find((above) => above.entry.role === "user")?.seq ?? null,
    entry_type: node.entry.role === undefined ? "custom" : "message",
    role: node.entry.role ?? null,
    entry_at: `2026-01-05 09:00:${String(node.seq).padStart(2, "0")}+00`,
    line_number: node.seq + 1,
    depth: pathOf(node).length - 1,
    tree_in: marks.get(node)?.[0] ?? null,
    tree_out: marks.get(node)?.[1] ?? null,
    child_count: node.children.length,
    is_leaf: node.children.length === 0,
    is_jump: node.seq > 1 && node.parent?.seq !== node.seq - 1,
    branch_leaf_seq: owners.get(node) ?? null,
    is_on_active_branch: active.has(node),
    is_abandoned: !active.has(node),
    is_present: true,
    ...node.entry.columns,
  }));
}

/** The node and all above it, up to the root. */
function pathOf(node: Node | undefined): Node[] {
  const path: Node[] = [];
  for (let at: Node | null | undefined = node; at; at = at.parent) path.push(at);
  return path;
}

function nestedSet(nodes: readonly Node[]): Map<Node, [number, number]> {
  const marks = new Map<Node, [number, number]>();
  let clock = 0;
  const visit = (node: Node): void => {
    const start = ++clock;
    node.children.forEach(visit);
    marks.set(node, [start, ++clock]);
  };
  for (const node of nodes) if (node.parent === null) visit(node);
  return marks;
}

/** Leaf that owns each entry: the last entry of the file first, then leaves in file order. */
function branchOwners(nodes: readonly Node[]): Map<Node, number> {
  const owners = new Map<Node, number>();
  const leaves = nodes.filter((node) => node.children.length === 0);
  for (const leaf of [nodes.at(-1), ...leaves]) {
    for (const node of pathOf(leaf)) if (!owners.has(node)) owners.set(node, leaf?.seq ?? 0);
  }
  return owners;
}
