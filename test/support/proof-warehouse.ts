import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { IngestConfig } from "../../pipeline/config.js";
import type { LoadReport } from "../../pipeline/flow.js";
import { type TableName, tables } from "../../schema/index.js";

type Pipeline = typeof import("../../pipeline/run.js");
type Logging = typeof import("../../pipeline/log.js");
type Checking = typeof import("../../pipeline/views/run-checks.js");

/** A row as JSON: BIGINT and DECIMAL as their digits, instants and dates as text. */
export type ProofRow = Readonly<Record<string, unknown>>;

export type LoadOptions = Partial<
  Pick<
    IngestConfig,
    | "machine"
    | "defaultMachine"
    | "timeZone"
    | "defaultTimeZone"
    | "content"
    | "jobs"
    | "isFull"
    | "isVerify"
    | "withArchives"
    | "projects"
  >
>;

/** The built program, in this process: a load takes a third of the time that a process of its own does. */
async function built<Module>(path: string): Promise<Module> {
  return await import(pathToFileURL(resolve("dist", path)).href);
}

/** Loads the roots into a warehouse, days in UTC unless told otherwise. */
export async function load(
  dbPath: string,
  roots: readonly string[],
  options: LoadOptions = {},
): Promise<LoadReport> {
  const { ingest } = await built<Pipeline>("pipeline/run.js");
  const { createLogger } = await built<Logging>("pipeline/log.js");
  const log = createLogger({ level: "error", isPlain: true, write: () => {} });
  return ingest({ ...CONFIG, roots, dbPath, ...options }, { log, signal: new AbortController().signal });
}

const CONFIG: Omit<IngestConfig, "roots" | "dbPath"> = {
  parquetDir: null,
  machine: null,
  defaultMachine: "ada-laptop",
  timeZone: null,
  defaultTimeZone: "UTC",
  content: "full",
  jobs: 1,
  isFull: false,
  isVerify: false,
  isStrict: false,
  withArchives: false,
  modelsPath: null,
  projects: [],
  isDryRun: false,
  isJson: true,
  homeDir: "/home/ada",
  agentDir: "/home/ada/.pi/agent",
  memoryBytes: 4 * 2 ** 30,
};

export async function query(dbPath: string, sql: string): Promise<ProofRow[]> {
  const [rows] = await queryAll(dbPath, [sql]);
  return rows ?? [];
}

/** Answers of several queries in one look at the warehouse. */
export async function queryAll(dbPath: string, queries: readonly string[]): Promise<ProofRow[][]> {
  return looking(dbPath, async (connection) => {
    const answers: ProofRow[][] = [];
    for (const sql of queries) answers.push((await connection.runAndReadAll(sql)).getRowObjectsJson());
    return answers;
  });
}

/** Names of the checks that fail, those of `piquet check` included, each with the first row it shows. */
export async function failedChecks(dbPath: string): Promise<unknown[]> {
  const { runChecks } = await built<Checking>("pipeline/views/run-checks.js");
  const results = await looking(dbPath, (connection) => runChecks(connection, { onlyCheap: false }));
  return results.filter((one) => one.rowCount > 0).map((one) => [one.name, one.rows[0]]);
}

async function looking<Answer>(
  dbPath: string,
  look: (connection: DuckDBConnection) => Promise<Answer>,
): Promise<Answer> {
  const instance = await DuckDBInstance.create(dbPath, { access_mode: "READ_ONLY", threads: "1" });
  const connection = await instance.connect();
  try {
    await connection.run("set TimeZone = 'UTC'");
    return await look(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** The one value of a query. */
export async function valueOf(dbPath: string, sql: string): Promise<unknown> {
  const [row] = await query(dbPath, sql);
  return row === undefined ? undefined : Object.values(row)[0];
}

export const COUNTED_COST =
  "select coalesce(sum(cost_usd), 0)::decimal(18, 9) from base.usage where is_counted";

/** Counted spend, nine digits behind the point. */
export async function countedCost(dbPath: string): Promise<unknown> {
  return valueOf(dbPath, COUNTED_COST);
}

/** Columns that tell of runs and of the disk, not of sessions. */
const OF_THE_RUN = new Set(["load_id", "first_load_id", "mtime_ms", "ctime_ms", "inode", "device"]);

export const SNAPSHOT_TABLES = [
  "files",
  "sessions",
  "entries",
  "messages",
  "tool_calls",
  "usage",
  "rejects",
] as const satisfies readonly TableName[];

/** All rows of the base tables as text, ordered, without the columns that depend on when a file was read. */
export async function snapshot(dbPath: string): Promise<Record<string, string[]>> {
  const answers = await queryAll(dbPath, SNAPSHOT_TABLES.map(snapshotSql));
  return Object.fromEntries(
    SNAPSHOT_TABLES.map((table, index) => [table, (answers[index] ?? []).map((row) => JSON.stringify(row))]),
  );
}

function snapshotSql(table: (typeof SNAPSHOT_TABLES)[number]): string {
  const columns = Object.keys(tables[table].columns).filter((column) => !OF_THE_RUN.has(column));
  return `select ${columns.join(", ")} from base.${table} order by ${tables[table].key.join(", ")}`;
}

let emptyPath: Promise<string> | undefined;

/** Puts a warehouse there that has its tables and views and no session; making one anew takes longer. */
export async function copyEmptyWarehouse(dbPath: string, folder: string): Promise<void> {
  emptyPath ??= makeEmptyWarehouse(folder);
  removeWarehouse(dbPath);
  copyFileSync(await emptyPath, dbPath);
}

async function makeEmptyWarehouse(folder: string): Promise<string> {
  const dbPath = join(folder, "empty.duckdb");
  const root = join(folder, "empty");
  mkdirSync(root);
  await load(dbPath, [root]);
  return dbPath;
}

export function removeWarehouse(dbPath: string): void {
  for (const suffix of ["", ".wal"]) rmSync(`${dbPath}${suffix}`, { force: true });
}
