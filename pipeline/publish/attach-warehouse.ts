import { accessSync, chmodSync, constants, existsSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { quoteText } from "../../schema/ddl.js";
import { PipelineError } from "../errors.js";
import { WAREHOUSE } from "./published-database.js";

export interface AttachOptions {
  readonly dbPath: string;
  readonly memoryLimitBytes: number;
  /** Existing folder for what does not fit into memory. */
  readonly tempDir: string;
}

export interface AttachedWarehouse {
  readonly connection: DuckDBConnection;
  close(): void;
}

/** Ending of the file beside a warehouse that a run of `publish` holds, so that a second one waits its turn. */
const LOCK_ENDING = ".publishing";

/**
 * Attaches a warehouse for reading, as `warehouse`, to a database in memory. Throws `WAREHOUSE_MISSING`, and
 * `WAREHOUSE_LOCKED` while a load or another run of `publish` works with it.
 */
export async function attachWarehouse(options: AttachOptions): Promise<AttachedWarehouse> {
  const { dbPath } = options;
  if (!existsSync(dbPath)) {
    throw new PipelineError("WAREHOUSE_MISSING", `no warehouse at ${dbPath}; \`piquet ingest\` makes one`);
  }
  if (!statSync(dbPath).isFile()) throw new PipelineError("USAGE", `${dbPath} is not a file`);
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: `${Math.floor(options.memoryLimitBytes / 2 ** 20)}MiB`,
    temp_directory: options.tempDir,
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
  });
  const connection = await instance.connect();
  const close = (): void => {
    connection.closeSync();
    instance.closeSync();
  };
  try {
    await holdLock(connection, `${dbPath}${LOCK_ENDING}`);
    await attach(connection, dbPath, WAREHOUSE, " (read_only)");
    await connection.run(`use ${WAREHOUSE}`);
  } catch (error) {
    close();
    throw error;
  }
  return { connection, close };
}

/** Where nothing can be written beside the warehouse, as on a read-only disk, runs do not see each other. */
async function holdLock(connection: DuckDBConnection, path: string): Promise<void> {
  try {
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK);
  } catch {
    return;
  }
  try {
    await attach(connection, path, "publishing", "");
  } catch (error) {
    if (error instanceof PipelineError && error.code === "WAREHOUSE_LOCKED") throw error;
    // A run that was killed while it made the file left half of one, which nobody holds.
    rmSync(path);
    await attach(connection, path, "publishing", "");
  }
  chmodSync(path, 0o600);
}

/** DuckDB's own lock ends with the process that holds it, however that ends. */
async function attach(
  connection: DuckDBConnection,
  path: string,
  name: string,
  options: string,
): Promise<void> {
  try {
    await connection.run(`attach ${quoteText(path)} as ${name}${options}`);
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : "";
    if (/\bset lock on\b|\bConflicting lock\b/.test(reason)) {
      const holder = /\(PID (\d+)\)/.exec(reason)?.[1];
      const who = holder === undefined ? "another process" : `process ${holder}`;
      throw new PipelineError("WAREHOUSE_LOCKED", `${path} is in use by ${who}; try again when it is done`, {
        cause,
      });
    }
    throw new PipelineError("FAILED", `cannot open ${path}: ${reason}`, { cause });
  }
}
