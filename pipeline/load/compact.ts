import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { createTableSql, quoteName, quoteText } from "../../schema/ddl.js";
import { tableList } from "../../schema/index.js";
import { safeMessage } from "../errors.js";
import { NEW_FILE_OPTIONS } from "./create-warehouse.js";
import { interruptOn } from "./interrupt.js";
import { dropSetting, readSettings, writeSetting } from "./meta-settings.js";
import { numberOf, queryRows, textOf } from "./sql.js";
import type { Warehouse } from "./warehouse.js";

export interface CompactOutcome {
  readonly bytes_before: number;
  readonly bytes_after: number;
  /** Why the file is as it was. */
  readonly compact_problem?: string;
}

/** Size and rows of the file when it was last written in one go: what its size is compared with. */
const BYTES = "compact_bytes";
const ROWS = "compact_rows";
/** Set while the file may hold bytes of text that its tables no longer have. */
const DUE = "compact_due";

/** DuckDB fills freed blocks again but never moves rows: a file grows by a few per cent a night. */
const MOST_GROWTH = 1.15;
const LEAST_WASTE_BYTES = 4 * 2 ** 20;

/** What a row needs is not known from a file of half as many; from this size on it is found out anew. */
const MOST_ROWS_FOLD = 2;
const LEAST_BYTES = 16 * 2 ** 20;

/** Notes what the first load left, inside the transaction of the second. */
export async function noteSize(connection: DuckDBConnection, path: string): Promise<void> {
  const settings = await readSettings(connection);
  if (settings.has(BYTES)) return;
  const rows = await countRows(connection, "warehouse");
  if (rows === 0) return;
  await writeSetting(connection, BYTES, String(statSync(path).size));
  await writeSetting(connection, ROWS, String(rows));
}

/** Has the file written anew at the end of this run, or of the next one that gets so far. */
export async function requestCompaction(connection: DuckDBConnection): Promise<void> {
  await writeSetting(connection, DUE, "true");
}

/**
 * Writes the warehouse into a new file that takes the place of the old one, where that was requested or where
 * it has grown well beyond what its rows need; null where it has not. Outside of any transaction and after a
 * checkpoint; nothing but `close` may follow on the warehouse, since its connection still has the old file,
 * which also keeps others out until the new one is in place. A failure, or the signal, leaves the old file.
 */
export async function compactIfWasteful(
  warehouse: Warehouse,
  signal: AbortSignal,
): Promise<CompactOutcome | null> {
  const path = realpathSync(warehouse.path);
  const copyPath = `${path}.compact`;
  removeCopy(copyPath);
  const before = statSync(path).size;
  try {
    const rows = await countRows(warehouse.connection, "warehouse");
    if (!isWasteful(await readSettings(warehouse.connection), before, rows)) return null;
    if (existsSync(`${warehouse.path}.wal`)) throw new Error("its write-ahead log is not empty");
    await writeCopy(warehouse.connection, copyPath, rows, signal);
    replaceFile(path, copyPath);
    return { bytes_before: before, bytes_after: statSync(path).size };
  } catch (cause) {
    removeCopy(copyPath);
    return { bytes_before: before, bytes_after: before, compact_problem: safeMessage(cause) };
  }
}

/** Whether a file of so many bytes and rows is to be written anew, going by what the settings remember. */
export function isWasteful(settings: ReadonlyMap<string, string>, bytes: number, rows: number): boolean {
  if (settings.has(DUE)) return true;
  const [compactBytes, compactRows] = [Number(settings.get(BYTES)), Number(settings.get(ROWS))];
  if (!(compactBytes > 0 && compactRows > 0)) return false;
  if (rows > compactRows * MOST_ROWS_FOLD && bytes > LEAST_BYTES) return true;
  const needed = (compactBytes * rows) / compactRows;
  return bytes > needed * MOST_GROWTH && bytes - needed > LEAST_WASTE_BYTES;
}

async function countRows(connection: DuckDBConnection, database: string): Promise<number> {
  const counts = ["entries", "messages", "tool_calls", "usage"].map(
    (table) => `(select count(*) from ${database}.base.${table})`,
  );
  const [row] = await queryRows(connection, `select ${counts.join(" + ")} as n`);
  return numberOf(row, "n");
}

async function writeCopy(
  connection: DuckDBConnection,
  copyPath: string,
  rows: number,
  signal: AbortSignal,
): Promise<void> {
  await connection.run(`attach ${quoteText(copyPath)} as compacted (${NEW_FILE_OPTIONS})`);
  const letGo = interruptOn(signal, connection);
  try {
    await connection.run("begin");
    await copyTables(connection);
    await connection.run("commit");
    letGo();
    signal.throwIfAborted();
    await connection.run("checkpoint compacted");
    await connection.run("use compacted");
    await writeSetting(connection, BYTES, String(statSync(copyPath).size));
    await writeSetting(connection, ROWS, String(rows));
    await dropSetting(connection, DUE);
    await connection.run("checkpoint compacted");
    if ((await countRows(connection, "compacted")) !== rows) throw new Error("the copy lacks rows");
  } finally {
    letGo();
    await rollbackQuietly(connection);
    await connection.run("use warehouse");
    await connection.run("detach compacted");
  }
  if (existsSync(`${copyPath}.wal`)) throw new Error("the copy's write-ahead log is not empty");
}

/** Views and comments come with the schema; base tables are made anew, for it lacks their compression. */
async function copyTables(connection: DuckDBConnection): Promise<void> {
  await connection.run("copy from database warehouse to compacted (schema)");
  for (const table of tableList()) {
    await connection.run(`drop table compacted.base.${table.name}`);
    await connection.run(createTableSql(table, "compacted.base"));
  }
  const rows = await queryRows(
    connection,
    "select schema_name, table_name from duckdb_tables() where database_name = 'warehouse' order by all",
  );
  for (const row of rows) {
    const name = `${quoteName(textOf(row, "schema_name"))}.${quoteName(textOf(row, "table_name"))}`;
    await connection.run(`insert into compacted.${name} by name select * from warehouse.${name}`);
  }
}

async function rollbackQuietly(connection: DuckDBConnection): Promise<void> {
  try {
    await connection.run("rollback");
  } catch {
    // No transaction is open: all went well, or an error has ended it.
  }
}

function replaceFile(path: string, copyPath: string): void {
  chmodSync(copyPath, statSync(path).mode & 0o777);
  renameSync(copyPath, path);
  flushFolder(dirname(path));
}

/** So that the new name outlives a loss of power, on systems that let a folder be flushed. */
function flushFolder(path: string): void {
  try {
    const folder = openSync(path, "r");
    fsyncSync(folder);
    closeSync(folder);
  } catch {
    // The file is in its place all the same.
  }
}

function removeCopy(copyPath: string): void {
  try {
    for (const suffix of ["", ".wal"]) rmSync(`${copyPath}${suffix}`, { recursive: true, force: true });
  } catch {
    // The name is longer than the disk allows, so that no copy can be there.
  }
}
