import type { DuckDBConnection } from "@duckdb/node-api";
import type { RecordBatch } from "apache-arrow";
import { quoteText } from "../../schema/ddl.js";
import type { BatchTableName } from "../../schema/index.js";
import type { ContentOption } from "../flow.js";
import { type BatchWriter, createBatchWriter } from "./batch-writer.js";
import { noteSize } from "./compact.js";
import { forgetText } from "./forget.js";
import { readSettings, writeSetting } from "./meta-settings.js";
import { migrate } from "./migrate.js";
import { createRunTables, dropFailedFiles, dropRows, stageFiles, stageTexts } from "./run-tables.js";
import { settleFiles } from "./settle-files.js";
import { settleRecords } from "./settle-records.js";
import { settleSessions } from "./settle-sessions.js";
import { loadSql, numberOf, queryRows, runLoadSql, textOf } from "./sql.js";
import { setDays, setTimeZone } from "./time-zone.js";
import { useThreads, type Warehouse } from "./warehouse.js";

/** A file that this run reads, with the state it was found in. */
export interface LoadFile {
  readonly fileId: string;
  readonly path: string;
  readonly rootPath: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: string;
  readonly device: string;
}

/** A file as the warehouse holds it. */
export interface HeldFile extends LoadFile {
  readonly contentSha1: string | null;
  readonly isPresent: boolean;
  readonly transformVersion: number;
  readonly content: string;
}

export interface FailedFile {
  readonly fileId: string;
  readonly reason: string;
}

export interface LoadOptions {
  /** Machine of this run's files; without it the one of the first load, at the first load `defaultMachine`. */
  readonly machine: string | null;
  readonly defaultMachine: string;
  /** Zone of days from now on; without it the one that holds, at the first load `defaultTimeZone`. */
  readonly timeZone: string | null;
  readonly defaultTimeZone: string;
  readonly content: ContentOption;
}

/** A run's transaction: everything it writes is committed at once or not at all. */
export interface Load {
  readonly loadId: number;
  readonly machine: string;
  readonly timeZone: string;
  readonly isFirst: boolean;
  readonly connection: DuckDBConnection;
  heldFiles(): Promise<HeldFile[]>;
  /** Prepares for the rows of these files; `write` may follow. */
  expect(files: readonly LoadFile[], missingIds: readonly string[]): Promise<void>;
  write(table: BatchTableName, batch: RecordBatch): Promise<void>;
  /** Takes out what came of these files, to read them again. */
  takeOut(fileIds: readonly string[]): Promise<void>;
  /** Notes the new state of files whose bytes are the same. */
  touch(files: readonly LoadFile[]): Promise<void>;
  /** Joins what came in with what the warehouse holds: sessions, records, owners, spend. */
  settle(failed: readonly FailedFile[]): Promise<void>;
  /** Takes out text that the warehouse may not hold; after `settle`, and without it too. */
  forget(): Promise<void>;
}

/** With so few, the statements that settle a load take less time on one thread. */
const FEW_THREADS = 2;

/** Opens the run's transaction. Whatever fails after it must end in `rollback`. */
export async function beginLoad(warehouse: Warehouse, options: LoadOptions): Promise<Load> {
  const { connection } = warehouse;
  await connection.run("begin");
  await migrate(connection);
  await noteSize(connection, warehouse.path);
  const settings = await readSettings(connection);
  const machine = options.machine ?? settings.get("machine") ?? options.defaultMachine;
  const timeZone = options.timeZone ?? settings.get("time_zone") ?? options.defaultTimeZone;
  const loadId = numberOf(
    (await queryRows(connection, "select coalesce(max(load_id), 0) + 1 as id from base.loads"))[0],
    "id",
  );
  await setVariables(connection, {
    load_id: String(loadId),
    machine: quoteText(machine),
  });
  await setTimeZone(connection, timeZone);
  await runLoadSql(connection, "spend_by_day", { name: "spend_before" });
  if (!settings.has("machine")) await writeSetting(connection, "machine", machine);
  const isZoneChanged = settings.has("time_zone") && settings.get("time_zone") !== timeZone;
  if (settings.get("time_zone") !== timeZone) await writeSetting(connection, "time_zone", timeZone);
  if (isZoneChanged) await setDays(connection);
  let writer: BatchWriter | null = null;
  return {
    loadId,
    machine,
    timeZone,
    isFirst: !settings.has("time_zone"),
    connection,
    heldFiles: () => heldFiles(connection),
    expect: async (files, missingIds) => {
      await createRunTables(connection);
      await stageFiles(connection, "run_files", machine, files);
      await stageTexts(
        connection,
        "missing_files",
        ["file_id"],
        missingIds.map((id) => [id]),
      );
      await useThreads(connection, 1);
      writer = await createBatchWriter(connection);
    },
    write: async (table, batch) => {
      if (writer === null) throw new Error("rows came before their files were announced");
      await writer.write(table, batch);
    },
    takeOut: (fileIds) => dropRows(connection, fileIds),
    touch: async (files) => {
      if (files.length === 0) return;
      await stageFiles(connection, "touched_files", machine, files);
      await runLoadSql(connection, "touch_files");
    },
    settle: async (failed) => {
      if (warehouse.threads > FEW_THREADS) await useThreads(connection, warehouse.threads);
      await dropFailedFiles(connection, failed);
      await settleSessions(connection);
      await settleRecords(connection);
      await settleFiles(connection, options.content);
    },
    forget: () => forgetText(connection, { content: options.content, isZoneChanged }),
  };
}

async function setVariables(
  connection: DuckDBConnection,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, value] of Object.entries(values)) await connection.run(`set variable ${name} = ${value}`);
}

async function heldFiles(connection: DuckDBConnection): Promise<HeldFile[]> {
  const rows = await queryRows(connection, loadSql("known_files"));
  return rows.map((row) => ({
    fileId: textOf(row, "file_id"),
    path: textOf(row, "path"),
    rootPath: textOf(row, "root_path"),
    sizeBytes: numberOf(row, "size_bytes"),
    mtimeMs: numberOf(row, "mtime_ms"),
    ctimeMs: numberOf(row, "ctime_ms"),
    inode: textOf(row, "inode"),
    device: textOf(row, "device"),
    contentSha1: row["content_sha1"] === null ? null : textOf(row, "content_sha1"),
    isPresent: row["is_present"] === true,
    transformVersion: numberOf(row, "transform_version"),
    content: textOf(row, "content"),
  }));
}
