import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { SCHEMA_VERSION } from "../../schema/index.js";
import { PipelineError, refuseNewer } from "../errors.js";
import { createLakeViews, type LakeSource } from "./open-lake.js";

export interface OpenOptions {
  readonly dbPath: string;
  /** Reads a lake's manifests; with it the lake is opened, and `dbPath` is not. */
  readonly lake?: (() => Promise<LakeSource>) | undefined;
  /** Leaves access to other files on and settings open; the warehouse itself stays read-only. */
  readonly isUnsafe: boolean;
  /** Files that may be written in spite of the lock. */
  readonly allowedPaths: readonly string[];
  readonly memoryLimitBytes: number;
  /** Existing folder in which a folder for spilled data is made, and removed at the end. */
  readonly tempDir: string;
}

export interface OpenWarehouse {
  readonly connection: DuckDBConnection;
  close(): void;
}

/**
 * Opens a warehouse or a lake for reading, with all days and times in UTC. Throws `WAREHOUSE_MISSING`, while a
 * load writes to it `WAREHOUSE_LOCKED`, and `WAREHOUSE_NEWER` for one of a later program, unless it is opened as
 * `isUnsafe`.
 */
export async function openWarehouse(options: OpenOptions): Promise<OpenWarehouse> {
  if (options.lake === undefined) requireFile(options.dbPath);
  const spillDir = makeSpillDir(options.tempDir);
  const removeSpillDir = (): void => rmSync(spillDir, { recursive: true, force: true });
  let instance: DuckDBInstance | undefined;
  try {
    instance = await (options.lake === undefined ? openFile(options.dbPath) : openMemory());
    const connection = await instance.connect();
    if (options.lake === undefined && !options.isUnsafe) await requireKnown(connection, options.dbPath);
    for (const statement of setupStatements(options, spillDir)) await connection.run(statement);
    const files = options.lake === undefined ? [] : await createLakeViews(connection, options.lake);
    for (const statement of lockStatements(options, files)) await connection.run(statement);
    return { connection, close: () => closeAll(connection, instance, removeSpillDir) };
  } catch (error) {
    instance?.closeSync();
    removeSpillDir();
    throw error;
  }
}

function makeSpillDir(tempDir: string): string {
  try {
    return mkdtempSync(join(tempDir, "piquet-sql-"));
  } catch (cause) {
    const reason = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
    const message = `cannot make a folder in ${tempDir}: ${reason}; set TMPDIR to one that can be written to`;
    throw new PipelineError("FAILED", message, { cause });
  }
}

function requireFile(dbPath: string): void {
  if (!existsSync(dbPath)) {
    throw new PipelineError("WAREHOUSE_MISSING", `no warehouse at ${dbPath}; \`piquet ingest\` makes one`);
  }
  if (!statSync(dbPath).isFile()) throw new PipelineError("USAGE", `${dbPath} is not a file`);
}

async function requireKnown(connection: DuckDBConnection, dbPath: string): Promise<void> {
  refuseNewer(dbPath, "schema", await schemaVersion(connection, dbPath), SCHEMA_VERSION);
}

/** A database of another kind can be asked too: it has no version. */
async function schemaVersion(connection: DuckDBConnection, dbPath: string): Promise<number> {
  const tables = "select 1 from duckdb_tables() where schema_name = 'meta' and table_name = 'settings'";
  const setting = "select max(value) from meta.settings where key = 'schema_version'";
  try {
    if ((await connection.runAndReadAll(tables)).currentRowCount === 0) return SCHEMA_VERSION;
    const reader = await connection.runAndReadAll(setting);
    return Number(reader.getRowsJson()[0]?.[0] ?? SCHEMA_VERSION);
  } catch (cause) {
    throw openError(dbPath, cause);
  }
}

const NO_DOWNLOADS = { autoinstall_known_extensions: "false", autoload_known_extensions: "false" };

function openMemory(): Promise<DuckDBInstance> {
  return DuckDBInstance.create(":memory:", NO_DOWNLOADS);
}

async function openFile(dbPath: string): Promise<DuckDBInstance> {
  try {
    return await DuckDBInstance.create(dbPath, { access_mode: "READ_ONLY", ...NO_DOWNLOADS });
  } catch (cause) {
    throw openError(dbPath, cause);
  }
}

function openError(dbPath: string, cause: unknown): PipelineError {
  const message = cause instanceof Error ? cause.message : "";
  if (/\bset lock on\b|\bConflicting lock\b/.test(message)) {
    const holder = /\(PID (\d+)\)/.exec(message)?.[1];
    const who = holder === undefined ? "another process" : `process ${holder}`;
    return new PipelineError(
      "WAREHOUSE_LOCKED",
      `${dbPath} is in use by ${who}; try again when its load is done`,
      { cause },
    );
  }
  if (/not a valid DuckDB database/i.test(message)) {
    return new PipelineError("USAGE", `${dbPath} is not a DuckDB file`, { cause });
  }
  return new PipelineError("FAILED", `cannot open ${dbPath}: ${message.split("\n")[0]}`, { cause });
}

function setupStatements(options: OpenOptions, spillDir: string): readonly string[] {
  return [
    "set timezone = 'UTC'",
    `set memory_limit = '${Math.floor(options.memoryLimitBytes / 2 ** 20)}MiB'`,
    `set temp_directory = ${quoteText(spillDir)}`,
  ];
}

/** The order matters: the last statements forbid the earlier ones. */
function lockStatements(options: OpenOptions, files: readonly string[]): readonly string[] {
  if (options.isUnsafe) return [];
  const paths = [...files, ...options.allowedPaths].map(quoteText).join(", ");
  return [
    ...(paths === "" ? [] : [`set allowed_paths = [${paths}]`]),
    "set enable_external_access = false",
    "set lock_configuration = true",
  ];
}

export function quoteText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** The connection first: an instance that is closed under it would make its end fail. */
function closeAll(
  connection: DuckDBConnection,
  instance: DuckDBInstance | undefined,
  removeSpillDir: () => void,
): void {
  connection.closeSync();
  instance?.closeSync();
  removeSpillDir();
}
