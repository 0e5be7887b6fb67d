import { existsSync, lstatSync, mkdirSync, readlinkSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { quoteText } from "../../schema/ddl.js";
import { SCHEMA_VERSION } from "../../schema/index.js";
import { PipelineError, refuseNewer } from "../errors.js";
import { createWarehouseFile } from "./create-warehouse.js";
import { asFileFault } from "./file-fault.js";
import { readSettings } from "./meta-settings.js";
import { clearSpillFolder, spillFolder } from "./spill-folder.js";

export interface Warehouse {
  readonly connection: DuckDBConnection;
  readonly path: string;
  /** Threads that DuckDB may use at most; a load uses fewer at times. */
  readonly threads: number;
  close(): void;
}

export interface WarehouseOptions {
  readonly path: string;
  readonly memoryBytes: number;
  readonly threads: number;
}

/** Share of the machine's memory that DuckDB may take before it writes to the temporary folder. */
const MEMORY_SHARE = 0.25;
const LEAST_MEMORY_BYTES = 512 * 2 ** 20;
const MOST_MEMORY_BYTES = 4 * 2 ** 30;

/**
 * Opens a warehouse for writing, or makes an empty file. Throws `WAREHOUSE_LOCKED` where another process
 * has it open, naming that process, `WAREHOUSE_NEWER` where a later program wrote it, `USAGE` where the path is
 * that of something else than a file, and `FAILED` where the file is no database; nothing is overwritten then.
 */
export async function openWarehouse(options: WarehouseOptions): Promise<Warehouse> {
  refuseOther(options.path);
  makeFolder(dirname(options.path));
  const instance = await DuckDBInstance.create(":memory:", {
    threads: String(options.threads),
    memory_limit: `${memoryLimit(options.memoryBytes)}B`,
    temp_directory: spillFolder(options.path),
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
  });
  const connection = await instance.connect();
  const close = (): void => {
    connection.closeSync();
    instance.closeSync();
  };
  try {
    await attach(connection, options.path);
    clearSpillFolder(options.path);
    const version = Number((await readSettings(connection)).get("schema_version") ?? SCHEMA_VERSION);
    refuseNewer(options.path, "schema", version, SCHEMA_VERSION);
  } catch (error) {
    close();
    throw asFileFault(options.path, error);
  }
  return { connection, path: options.path, threads: options.threads, close };
}

/**
 * Sets how many threads work on a statement. While one of several waits for another, the one that began the
 * statement asks for work all the time (DuckDB 1.5): rows that come one batch after the other take twice the
 * processor time with two threads.
 */
export async function useThreads(connection: DuckDBConnection, count: number): Promise<void> {
  await connection.run(`set threads = ${count}`);
}

/**
 * A pipe would be waited for without an end. A link that leads nowhere is most likely one to a disk that is not
 * mounted, and a new warehouse in its place would part with all that the old one holds.
 */
function refuseOther(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true && !existsSync(path)) {
    throw new PipelineError("FAILED", `${path} is a link to ${readlinkSync(path)}, which is not there`);
  }
  if (existsSync(path) && !statSync(path).isFile()) throw new PipelineError("USAGE", `${path} is not a file`);
}

function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new PipelineError("FAILED", `cannot make the folder ${folder}: ${reasonOf(cause)}`, { cause });
  }
}

async function attach(connection: DuckDBConnection, path: string): Promise<void> {
  try {
    if (!existsSync(path)) await createWarehouseFile(connection, path);
    await connection.run(`attach ${quoteText(path)} as warehouse (row_group_size 20480)`);
  } catch (cause) {
    throw attachError(path, cause);
  }
  await connection.run("use warehouse");
  await connection.run("set TimeZone = 'UTC'");
  await connection.run("set write_buffer_row_group_count = 1");
  // A commit writes its checkpoint and no log: rows that an update touched after they were written to the
  // file would go through the log again, all of them, with their text unpacked (DuckDB 1.5).
  await connection.run("set checkpoint_threshold = '0B'");
  await connection.run("set auto_checkpoint_skip_wal_threshold = 0");
  await connection.run("set preserve_insertion_order = true");
}

function attachError(path: string, cause: unknown): PipelineError {
  const reason = reasonOf(cause);
  const holder = /Conflicting lock is held in (.*?\(PID \d+\)|[^.\n]*)/.exec(reason)?.[1];
  if (holder !== undefined) {
    return new PipelineError("WAREHOUSE_LOCKED", `${path} is in use by ${holder.trim()}`, { cause });
  }
  return new PipelineError("FAILED", `cannot open ${path} as a warehouse: ${reason.split("\n")[0] ?? ""}`, {
    cause,
  });
}

function memoryLimit(memoryBytes: number): number {
  const share = Math.floor(memoryBytes * MEMORY_SHARE);
  return Math.min(Math.max(share, LEAST_MEMORY_BYTES), MOST_MEMORY_BYTES);
}

export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
