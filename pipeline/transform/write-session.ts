import { projectNameOf } from "../../schema/project-name.js";
import type { FileFacts } from "../flow.js";
import { findBranches } from "./branches.js";
import { findContext } from "./context.js";
import { type EntryStore, FLAG } from "./entry-store.js";
import { findRetries } from "./retries.js";
import type { Session } from "./session.js";
import { closeCalls } from "./tool-call-rows.js";
import { buildTree, type Tree } from "./tree.js";
import { writeFileRow } from "./write-file.js";

/** Writes what is known at the end of a session file only: links between entries, retries, the session, the file. */
export function writeSession(session: Session, facts: FileFacts): void {
  closeCalls(session);
  const tree = buildTree(session.entries);
  if (tree.hadLoop) session.piTotals.isComparable = false;
  writeLinks(session, tree);
  writeRetries(session, tree);
  writeSessionRow(session);
  writeFileRow(session.sinks, session.request, facts, {
    kind: "session",
    skipReason: null,
    session,
  });
}

function writeLinks(session: Session, tree: Tree): void {
  const { sinks, request, entries } = session;
  const branches = findBranches(tree);
  const context = findContext(entries, tree, session.context);
  const turns = findTurns(entries, tree);
  const row = sinks.entry_links;
  for (let seq = 1; seq <= tree.count; seq += 1) {
    const parent = tree.parents[seq] ?? 0;
    const position = context.positions[seq] ?? 0;
    row.columns.file_id.put(request.fileId);
    row.columns.entry_seq.put(seq);
    row.columns.parent_entry_seq.put(parent === 0 ? null : parent);
    row.columns.root_entry_seq.put(tree.roots[seq]);
    row.columns.depth.put(tree.depths[seq]);
    row.columns.tree_in.put(tree.entered[seq]);
    row.columns.tree_out.put(tree.left[seq]);
    row.columns.child_count.put(tree.childCounts[seq]);
    row.columns.is_orphan.put(tree.orphans[seq] === 1);
    row.columns.is_jump.put(isJump(tree, seq));
    row.columns.branch_leaf_seq.put(branches.leaves[seq]);
    row.columns.is_on_active_branch.put(branches.active[seq] === 1);
    row.columns.context_position.put(position === 0 ? null : position);
    row.columns.is_replaced.put(context.replaced[seq] === 1);
    row.columns.turn_entry_seq.put(turns[seq] === 0 ? null : turns[seq]);
    row.endRow();
  }
}

/** The prompt that each entry's turn began with: the nearest user message at or above it. */
function findTurns(entries: EntryStore, tree: Tree): Int32Array {
  const turns = new Int32Array(tree.count + 1);
  for (const seq of tree.order) {
    const isPrompt = entries.has(seq, FLAG.USER);
    turns[seq] = isPrompt ? seq : (turns[tree.parents[seq] ?? 0] ?? 0);
  }
  return turns;
}

function isJump(tree: Tree, seq: number): boolean {
  const parent = tree.parents[seq] ?? 0;
  if (parent === 0) return seq > 1 && tree.orphans[seq] !== 1;
  return parent !== seq - 1;
}

function writeRetries(session: Session, tree: Tree): void {
  const row = session.sinks.retries;
  for (const retry of findRetries(session.entries, tree)) {
    row.columns.file_id.put(session.request.fileId);
    row.columns.entry_seq.put(retry.seq);
    row.columns.is_retried.put(retry.isRetried);
    row.columns.retry_succeeded.put(retry.hasSucceeded);
    row.endRow();
  }
}

function writeSessionRow(session: Session): void {
  const { header, entries } = session;
  const row = session.sinks.sessions;
  const { columns } = row;
  columns.session_key.put(header.sessionKey);
  columns.base_session_key.put(header.sessionKey);
  columns.session_id.put(header.sessionId);
  columns.file_id.put(session.request.fileId);
  columns.load_id.put(session.request.loadId);
  columns.format_version.put(header.formatVersion);
  columns.project_path.put(header.projectPath);
  columns.project_name.put(header.projectPath === null ? null : projectNameOf(header.projectPath));
  columns.name.put(session.name);
  columns.parent_session_path.put(header.parentSessionPath);
  columns.header_at.put(header.at);
  columns.started_at.put(session.startedAt ?? header.at);
  columns.ended_at.put(session.endedAt);
  columns.leaf_entry_id.put(entries.count === 0 ? null : entries.ids[entries.count]);
  columns.leaf_entry_seq.put(entries.count === 0 ? null : entries.count);
  columns.record_count.put(entries.count);
  columns.header_json.put(header.payloadJson);
  row.endRow();
}
