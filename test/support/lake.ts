import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { ContentOption } from "../../pipeline/flow.js";
import { createLogger } from "../../pipeline/log.js";
import { openLake } from "../../pipeline/open-lake.js";
import { folderStore } from "../../pipeline/publish/folder-store.js";
import type { Manifest } from "../../pipeline/publish/manifest.js";
import type { PublishReport } from "../../pipeline/publish/publish.js";
import type { LakeStore } from "../../pipeline/publish/store.js";
import { publishWarehouse } from "../../pipeline/publish-warehouse.js";

export const SILENT = createLogger({ level: "error", isPlain: true, write: () => {} });

/** Publishes a warehouse into a folder, as the program does. */
export function publish(dbPath: string, folder: string, content: ContentOption = "none") {
  return publishInto(folderStore(folder), dbPath, content);
}

export async function publishInto(
  store: LakeStore,
  dbPath: string,
  content: ContentOption = "none",
): Promise<PublishReport> {
  const { lake } = await publishWarehouse({ ...runOf(dbPath), store, servingPath: null, content });
  if (lake === null) throw new Error("nothing was published");
  return lake;
}

/** Writes a copy of a warehouse for readers; true where it had to be written. */
export async function writeCopy(
  dbPath: string,
  servingPath: string,
  content: ContentOption = "none",
): Promise<boolean | null> {
  const { isServingWritten } = await publishWarehouse({
    ...runOf(dbPath),
    store: null,
    servingPath,
    content,
  });
  return isServingWritten;
}

function runOf(dbPath: string) {
  return {
    dbPath,
    log: SILENT,
    signal: new AbortController().signal,
    memoryLimitBytes: 2 ** 30,
    tempDir: join(dbPath, ".."),
  };
}

export function readManifest(folder: string, machine: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "manifest", `${machine}.json`), "utf8"));
}

/** Answers of queries over a lake, as rows of JSON values. */
export async function askLake(
  folder: string,
  queries: readonly string[],
): Promise<Readonly<Record<string, unknown>>[][]> {
  const { statements } = await openLake(folder);
  return await withMemory(async (connection) => {
    await connection.run(statements.join(";\n"));
    const answers = [];
    for (const sql of queries) answers.push((await connection.runAndReadAll(sql)).getRowObjectsJson());
    return answers;
  });
}

/** Gives a connection to a database of nothing. */
export async function withMemory<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  try {
    await connection.run("set TimeZone = 'UTC'");
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
