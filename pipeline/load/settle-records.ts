import type { DuckDBConnection } from "@duckdb/node-api";
import { joinIdentities } from "./join-records.js";
import { ROW_TABLES, stageTexts } from "./run-tables.js";
import { queryRows, runLoadSql, textOf } from "./sql.js";

/**
 * Decides which rows are one record, who owns it, and what counts as spend, for every record that the
 * run touched, over the whole warehouse (design rules 1, 2, 5, 6 and 10).
 */
export async function settleRecords(connection: DuckDBConnection): Promise<void> {
  await joinRecords(connection);
  await decideOwners(connection);
  await runLoadSql(connection, "apply_abandoned");
  await runLoadSql(connection, "apply_copy_only");
  await runLoadSql(connection, "parent_links");
  await runLoadSql(connection, "apply_parent_links");
  await countUsage(connection);
}

async function joinRecords(connection: DuckDBConnection): Promise<void> {
  for (const step of [
    "identity_members",
    "identity_records",
    "identity_pairs",
    "identity_pairs_without_ids",
  ]) {
    await runLoadSql(connection, step);
  }
  const rows = await queryRows(connection, "select one_key, other_key from identity_pairs");
  const pairs = rows.map((row): [string, string] => [textOf(row, "one_key"), textOf(row, "other_key")]);
  await stageTexts(connection, "identity_map", ["own_record_key", "record_key"], joinIdentities(pairs));
  await runLoadSql(connection, "rekeyed_entries");
  await runLoadSql(connection, "affected_of_rekeyed");
  for (const table of ["entries", ...ROW_TABLES]) await runLoadSql(connection, "apply_rekeyed", { table });
}

async function decideOwners(connection: DuckDBConnection): Promise<void> {
  await runLoadSql(connection, "changed_owners");
  await runLoadSql(connection, "apply_owners");
  for (const table of ROW_TABLES) await runLoadSql(connection, "apply_copies", { table });
}

async function countUsage(connection: DuckDBConnection): Promise<void> {
  const steps = [
    "merge_halves",
    "delete_halves",
    "run_children",
    "child_holds",
    "delegated",
    "shares",
    "count_usage",
    "insert_halves",
    "shrink_halves",
  ];
  for (const step of steps) await runLoadSql(connection, step);
}
