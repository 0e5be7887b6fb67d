import type { DuckDBConnection } from "@duckdb/node-api";
import type { FailedFile, LoadFile } from "./load.js";
import { runLoadSql } from "./sql.js";

/** Tables that rows of a batch go into directly. */
export const ROW_TABLES = ["messages", "tool_calls", "usage"] as const;

const STAGED = ["files", "sessions", "entries", "rejects", "entry_links", "retries", "late_results"] as const;

/** Makes the temporary tables that say which files the run is about. */
export async function createRunTables(connection: DuckDBConnection): Promise<void> {
  await connection.run("create or replace temp table missing_files (file_id varchar)");
  await connection.run("create or replace temp table failed_files (file_id varchar, reason varchar)");
  await connection.run("create or replace temp table affected_keys (record_key varchar)");
}

/** Makes a temporary table of files in the state they were found in. */
export async function stageFiles(
  connection: DuckDBConnection,
  table: string,
  machine: string,
  files: readonly LoadFile[],
): Promise<void> {
  await connection.run(`create or replace temp table ${table} (
    file_id varchar, machine varchar, path varchar, root_path varchar, size_bytes bigint, mtime_ms double,
    ctime_ms double, inode varchar, device varchar)`);
  const appender = await connection.createAppender(table, "main", "temp");
  for (const file of files) {
    for (const text of [file.fileId, machine, file.path, file.rootPath]) appender.appendVarchar(text);
    appender.appendBigInt(BigInt(file.sizeBytes));
    appender.appendDouble(file.mtimeMs);
    appender.appendDouble(file.ctimeMs);
    appender.appendVarchar(file.inode);
    appender.appendVarchar(file.device);
    appender.endRow();
  }
  appender.closeSync();
}

/** Fills a temporary table of text columns. */
export async function stageTexts(
  connection: DuckDBConnection,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly (string | null)[]>,
): Promise<void> {
  const types = columns.map((name) => `${name} varchar`).join(", ");
  await connection.run(`create or replace temp table ${table} (${types})`);
  const appender = await connection.createAppender(table, "main", "temp");
  for (const row of rows) {
    for (const value of row) {
      if (value === null) appender.appendNull();
      else appender.appendVarchar(value);
    }
    appender.endRow();
  }
  appender.closeSync();
}

/** Sets aside the files whose reading failed: what was held of them stays, what they gave goes. */
export async function dropFailedFiles(
  connection: DuckDBConnection,
  failed: readonly FailedFile[],
): Promise<void> {
  const rows = failed.map((file) => [file.fileId, file.reason]);
  await stageTexts(connection, "failed_files", ["file_id", "reason"], rows);
  await runLoadSql(connection, "unread_files");
  if (failed.length === 0) return;
  await runLoadSql(connection, "drop_unread");
  await dropRows(
    connection,
    failed.map((file) => file.fileId),
  );
}

/** Takes out again what files gave in this run. */
export async function dropRows(connection: DuckDBConnection, fileIds: readonly string[]): Promise<void> {
  await stageTexts(
    connection,
    "dropped_files",
    ["file_id"],
    fileIds.map((id) => [id]),
  );
  for (const table of ROW_TABLES) await runLoadSql(connection, "drop_rows", { table });
  for (const table of STAGED) await runLoadSql(connection, "drop_staged", { table: `stage_${table}` });
}
