import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import golden from "../../golden/v1.json" with { type: "json" };

/** The part of `test/engines` that is used here, where `make setup-engines` has installed it. */
export interface ClickHouse {
  runAll(sql: string): void;
  writeParquet(sql: string, path: string): void;
}

export interface Comparison {
  /** Cells of the expected answers: rows times columns, over all public views. */
  readonly cells: number;
  /** Cells of rows that only one of the two gives. */
  readonly differing: number;
  /** Views with such rows. */
  readonly views: readonly string[];
}

/** Null, with a word on it, where it is not installed; that is a failure where containers are required. */
export async function openClickHouse(): Promise<ClickHouse | null> {
  if (existsSync("test/engines/node_modules/chdb")) {
    // By a path that the compiler does not follow: a plain install has no such package.
    const engines: { openClickHouse(): ClickHouse } = await import(
      resolve("test/engines/support/clickhouse.ts")
    );
    return engines.openClickHouse();
  }
  const problem = "ClickHouse is not asked: `make setup-engines` installs it";
  if (process.env["PIQUET_REQUIRE_CONTAINERS"] === "1") throw new Error(problem);
  process.stderr.write(`${problem}\n`);
  return null;
}

const quoted = (name: string): string => `"${name}"`;

/**
 * Compares the public views of an attached database, row by row, with ClickHouse's answers to them, which go by
 * way of files in the folder.
 */
export async function compareWithClickHouse(
  connection: DuckDBConnection,
  database: string,
  clickhouse: ClickHouse,
  folder: string,
): Promise<Comparison> {
  let [cells, differing] = [0, 0];
  const views: string[] = [];
  for (const { view, columns } of golden) {
    const path = join(folder, `${view}.parquet`);
    const names = columns.map(({ name }) => quoted(name)).join(", ");
    clickhouse.writeParquet(`select ${names} from v1.${quoted(view)}`, path);
    const cast = columns.map(({ name, type }) => `${quoted(name)}::${type} as ${quoted(name)}`).join(", ");
    await connection.run(`
      create or replace temp table expected as select ${cast} from ${database}.v1.${quoted(view)};
      create or replace temp table found as
        select ${cast} from read_parquet('${path}', binary_as_string = true)`);
    const reader = await connection.runAndReadAll(
      `select (select count(*) from expected),
         (select count(*) from (from expected except all from found)),
         (select count(*) from (from found except all from expected))`,
    );
    const [rows = 0, missing = 0, added = 0] = (reader.getRowsJson()[0] ?? []).map(Number);
    cells += rows * columns.length;
    differing += (missing + added) * columns.length;
    if (missing + added > 0) views.push(`${view}: ${missing} of ${rows} rows missing, ${added} added`);
  }
  return { cells, differing, views };
}
