import type { DuckDBConnection } from "@duckdb/node-api";
import { entries } from "../../schema/entries.js";
import { sessions } from "../../schema/sessions.js";
import { assignSessions } from "./assign-sessions.js";
import { insertSql } from "./insert-sql.js";
import { type ChildCandidate, type ChildClaim, linkChildren } from "./link-children.js";
import { ownerRankSql } from "./owner-rank.js";
import { ROW_TABLES, stageTexts } from "./run-tables.js";
import { loadSql, numberOf, queryRows, runLoadSql, type SqlRow, textOf } from "./sql.js";

const KEYED_TABLES = ["entries", ...ROW_TABLES] as const;

/**
 * Gives each session that was read its key, puts its rows in the place of the ones that were held, and
 * keeps of those what the new reading lacks (design rules 3 and 4). Then sets who came from whom.
 */
export async function settleSessions(connection: DuckDBConnection): Promise<void> {
  await assignKeys(connection);
  await replaceRows(connection);
  await insertRead(connection);
  await rankKept(connection);
  await settleFamilies(connection);
}

async function assignKeys(connection: DuckDBConnection): Promise<void> {
  const held = await queryRows(connection, loadSql("touched_sessions"));
  const read = await queryRows(connection, loadSql("read_sessions"));
  const { readings, renames } = assignSessions(
    held.map((row) => ({
      ...placeOf(row),
      sessionKey: textOf(row, "session_key"),
      isPresent: row["is_present"] === true,
    })),
    read.map(placeOf),
  );
  await stageTexts(
    connection,
    "readings",
    ["file_id", "session_key", "replaces_key"],
    readings.map((reading) => [reading.fileId, reading.sessionKey, reading.replacesKey]),
  );
  await stageTexts(
    connection,
    "renames",
    ["old_key", "new_key"],
    renames.map(({ oldKey, newKey }) => [oldKey, newKey]),
  );
}

function placeOf(row: SqlRow): {
  fileId: string;
  baseKey: string;
  machine: string;
  path: string;
  recordCount: number;
} {
  return {
    fileId: textOf(row, "file_id"),
    baseKey: textOf(row, "base_session_key"),
    machine: textOf(row, "machine"),
    path: textOf(row, "path"),
    recordCount: numberOf(row, "record_count"),
  };
}

async function replaceRows(connection: DuckDBConnection): Promise<void> {
  for (const step of [
    "gone_sessions",
    "kept_entries",
    "affected_of_replaced",
    "affected_of_read",
    "replaced_costs",
  ]) {
    await runLoadSql(connection, step);
  }
  for (const table of KEYED_TABLES) {
    await runLoadSql(connection, "delete_replaced", { table });
    await runLoadSql(connection, "mark_gone", { table });
    await runLoadSql(connection, "move_kept", { table });
    await runLoadSql(connection, "rename_held", { table });
    await runLoadSql(connection, "settle_kept", { table });
  }
  await runLoadSql(connection, "mark_gone", { table: "sessions" });
  await runLoadSql(connection, "delete_replaced_sessions");
  await runLoadSql(connection, "rename_held", { table: "sessions" });
  await runLoadSql(connection, "rename_owners");
  await runLoadSql(connection, "clear_kept_tree");
  await runLoadSql(connection, "clear_kept_results");
  for (const table of ROW_TABLES) await runLoadSql(connection, "key_read", { table });
}

async function insertRead(connection: DuckDBConnection): Promise<void> {
  await runLoadSql(connection, "paid_entries");
  await connection.run(insertSql(entries, loadSql("read_entries"), ENTRY_VALUES, "stage_entries"));
  await connection.run(
    insertSql(
      sessions,
      "stage_sessions inner join readings on readings.file_id = stage_sessions.file_id inner join run_files on run_files.file_id = stage_sessions.file_id",
      {
        session_key: "readings.session_key",
        machine: "run_files.machine",
        path: "run_files.path",
        root_session_key: "readings.session_key",
      },
      "stage_sessions",
    ),
  );
  await runLoadSql(connection, "apply_retries");
  await runLoadSql(connection, "apply_late_results");
}

/** Values that the links of an entry give, and the first values of what depends on other records. */
const ENTRY_VALUES: Readonly<Record<string, string>> = {
  session_key: "readings.session_key",
  owner_session_key: "readings.session_key",
  parent_entry_seq: "links.parent_entry_seq",
  root_entry_seq: "links.root_entry_seq",
  depth: "links.depth",
  tree_in: "links.tree_in",
  tree_out: "links.tree_out",
  child_count: "links.child_count",
  is_leaf: "links.child_count = 0",
  is_orphan: "links.is_orphan",
  is_jump: "links.is_jump",
  branch_leaf_seq: "links.branch_leaf_seq",
  is_on_active_branch: "links.is_on_active_branch",
  is_abandoned: "not links.is_on_active_branch",
  context_position: "links.context_position",
  is_replaced: "links.is_replaced",
  turn_entry_seq: "links.turn_entry_seq",
  owner_rank: ownerRankSql({
    isPaid: "paid_entries.file_id is not null",
    session: "stage_sessions",
    machine: "run_files.machine",
    path: "run_files.path",
    lineNumber: "stage_entries.line_number",
  }),
};

async function rankKept(connection: DuckDBConnection): Promise<void> {
  const rank = ownerRankSql({
    isPaid: "left(entries.owner_rank, 1) = '0'",
    session: "sessions",
    machine: "sessions.machine",
    path: "sessions.path",
    lineNumber: "entries.line_number",
  });
  await runLoadSql(connection, "rank_kept", { rank });
}

async function settleFamilies(connection: DuckDBConnection): Promise<void> {
  await runLoadSql(connection, "placements");
  await linkSubAgents(connection);
  for (const step of ["apply_child_sessions", "parents", "apply_parents", "families", "apply_families"]) {
    await runLoadSql(connection, step);
  }
}

async function linkSubAgents(connection: DuckDBConnection): Promise<void> {
  const claims = await queryRows(connection, loadSql("child_claims"));
  const candidates = claims.length === 0 ? [] : await queryRows(connection, loadSql("child_candidates"));
  const links = linkChildren(claims.map(claimOf), candidates.map(candidateOf));
  await stageTexts(
    connection,
    "child_session_texts",
    ["session_key", "entry_seq", "usage_seq", "child_session_key"],
    links.map(({ claim, childKey }) => [
      claim.sessionKey,
      String(claim.entrySeq),
      String(claim.usageSeq),
      childKey,
    ]),
  );
  await runLoadSql(connection, "child_sessions");
}

function claimOf(row: SqlRow): ChildClaim {
  return {
    sessionKey: textOf(row, "session_key"),
    entrySeq: numberOf(row, "entry_seq"),
    usageSeq: numberOf(row, "usage_seq"),
    runId: nullableText(row, "subagent_run_id"),
    runIndex: nullableNumber(row, "subagent_run_index"),
    path: nullableText(row, "child_session_path"),
    occurredAtMs: nullableNumber(row, "occurred_at_ms"),
  };
}

function candidateOf(row: SqlRow): ChildCandidate {
  return {
    sessionKey: textOf(row, "session_key"),
    machine: textOf(row, "machine"),
    path: textOf(row, "path"),
    isPresent: row["is_present"] === true,
    parentKey: nullableText(row, "parent_key"),
    restPath: nullableText(row, "rest_path"),
    headerAtMs: nullableNumber(row, "header_at_ms"),
  };
}

function nullableNumber(row: SqlRow, name: string): number | null {
  return row[name] === null ? null : numberOf(row, name);
}

function nullableText(row: SqlRow, name: string): string | null {
  return row[name] === null ? null : textOf(row, name);
}
