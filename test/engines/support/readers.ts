import { join } from "node:path";
import { lakeDdl } from "../../../pipeline/lake-ddl.js";
import { openLake } from "../../../pipeline/open-lake.js";
import { folderStore } from "../../../pipeline/publish/folder-store.js";
import { readLake } from "../../../pipeline/publish/read-lake.js";
import type { LakeStore } from "../../../pipeline/publish/store.js";
import { publish, publishInto, withMemory } from "../../support/lake.js";
import type { Bucket } from "./bucket.js";
import type { ClickHouse } from "./clickhouse.js";
import { type Comparison, compareClickHouse, compareDatabase, keepAnswers } from "./compare.js";

/** Engines that answer over a lake, in the order in which they are asked. */
const READERS = ["sql --parquet", "ClickHouse", "ClickHouse from S3"] as const;

/** Comparisons by reader. */
export type Readers = Readonly<Partial<Record<(typeof READERS)[number], Comparison>>>;

export interface Engines {
  readonly clickhouse: ClickHouse;
  readonly bucket: Bucket;
}

/**
 * Publishes a warehouse into the folder `lake` beside it and into a bucket, and compares its answers to every
 * public view with those of each reader. `name` is the prefix in the bucket.
 */
export async function compareReaders(
  name: string,
  dbPath: string,
  { clickhouse, bucket }: Engines,
): Promise<Readers> {
  const folder = join(dbPath, "..");
  const lake = join(folder, "lake");
  await publish(dbPath, lake, "full");
  const store = bucket.store(`${name}/`);
  await publishInto(store, dbPath, "full");
  return await withMemory(async (connection) => {
    await connection.run(`attach '${dbPath}' as w (read_only)`);
    await keepAnswers(connection, "w.");
    await connection.run((await openLake(lake)).statements.join(";\n"));
    const overParquet = await compareDatabase(connection, "");
    await useFolder(clickhouse, lake);
    const overFolder = await compareClickHouse(connection, clickhouse, folder);
    clickhouse.runAll(await lakeStatements(store, "s3", await store.httpAddress()));
    const overBucket = await compareClickHouse(connection, clickhouse, folder);
    store.close();
    return told(name, {
      "sql --parquet": overParquet,
      ClickHouse: overFolder,
      "ClickHouse from S3": overBucket,
    });
  });
}

/** Compares the answers of DuckDB over a lake of several machines with those of ClickHouse. */
export async function compareLake(name: string, lake: string, clickhouse: ClickHouse): Promise<Readers> {
  await useFolder(clickhouse, lake);
  const { statements } = await openLake(lake);
  return await withMemory(async (connection) => {
    await connection.run(statements.join(";\n"));
    await keepAnswers(connection, "");
    return told(name, { ClickHouse: await compareClickHouse(connection, clickhouse, join(lake, "..")) });
  });
}

/** Lets ClickHouse read a lake in a folder, by the statements of `piquet ddl`. */
export async function useFolder(clickhouse: ClickHouse, lake: string): Promise<void> {
  clickhouse.runAll(await lakeStatements(folderStore(lake), "file", `${lake}/`));
}

async function lakeStatements(store: LakeStore, kind: "file" | "s3", address: string): Promise<string> {
  return lakeDdl("clickhouse", await readLake(store), { kind, clickhouse: address, duckdb: address });
}

function told(name: string, readers: Readers): Readers {
  const parts = READERS.flatMap((reader) => {
    const comparison = readers[reader];
    return comparison === undefined ? [] : [`${reader} ${numbersOf([comparison])}`];
  });
  process.stderr.write(`${name}: ${parts.join("; ")}\n`);
  return readers;
}

/** Cells over all comparisons, reader by reader. */
export function sumsOf(all: readonly Readers[]): string {
  const parts = READERS.map((reader) => {
    const comparisons = all.flatMap((readers) => readers[reader] ?? []);
    return `${reader} ${numbersOf(comparisons)}`;
  });
  return parts.join("; ");
}

function numbersOf(comparisons: readonly Comparison[]): string {
  const sum = (key: "cells" | "differing"): string =>
    comparisons.reduce((total, comparison) => total + comparison[key], 0).toLocaleString("en");
  return `${sum("cells")} cells compared, ${sum("differing")} differ`;
}
