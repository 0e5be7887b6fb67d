import { join } from "node:path";
import { lakeDdl } from "../../../pipeline/lake-ddl.js";
import { openLake } from "../../../pipeline/open-lake.js";
import { folderStore } from "../../../pipeline/publish/folder-store.js";
import { readLake } from "../../../pipeline/publish/read-lake.js";
import { publish, withMemory } from "../../support/lake.js";
import { tempFolder } from "../../support/temp-folder.js";
import type { ClickHouse } from "./clickhouse.js";
import { answersOfClickHouse, answersOfDuckDB, compareViews, keepAnswers } from "./compare.js";

/** Cells compared so far in this file of tests, an engine each, and how many views differed. */
export const total = { cells: 0, differing: 0 };

/** Lets ClickHouse read a lake in a folder, by the statements of `piquet ddl`. */
export async function useLake(clickhouse: ClickHouse, lake: string): Promise<void> {
  const address = { kind: "file", clickhouse: `${lake}/`, duckdb: `${lake}/` } as const;
  clickhouse.runAll(lakeDdl("clickhouse", await readLake(folderStore(lake)), address));
}

/**
 * Publishes a warehouse with all its text, and compares every public view as `sql --parquet` and as
 * ClickHouse answer it over the lake with the warehouse's own. Gives what differs.
 */
export async function differencesOver(
  clickhouse: ClickHouse,
  name: string,
  dbPath: string,
): Promise<string[]> {
  const lake = join(tempFolder(), "lake");
  await publish(dbPath, lake, "full");
  await useLake(clickhouse, lake);
  const { statements } = await openLake(lake);
  return await withMemory(async (connection) => {
    await connection.run(`attach '${dbPath}' as w (read_only)`);
    await keepAnswers(connection, "w.");
    await connection.run("detach w");
    await connection.run(statements.join(";\n"));
    const parquet = await compareViews(connection, answersOfDuckDB);
    const other = await compareViews(connection, answersOfClickHouse(clickhouse, tempFolder()));
    const differing = [
      ...parquet.differing.map((text) => `sql --parquet: ${text}`),
      ...other.differing.map((text) => `ClickHouse: ${text}`),
    ];
    tell(name, parquet.cells + other.cells, differing.length);
    return differing;
  });
}

/** Compares the answers of DuckDB over a lake with those of ClickHouse. Gives what differs. */
export async function differencesBetween(
  clickhouse: ClickHouse,
  name: string,
  lake: string,
): Promise<readonly string[]> {
  await useLake(clickhouse, lake);
  const { statements } = await openLake(lake);
  return await withMemory(async (connection) => {
    await connection.run(statements.join(";\n"));
    await keepAnswers(connection, "");
    const answers = answersOfClickHouse(clickhouse, tempFolder());
    const { cells, differing } = await compareViews(connection, answers);
    tell(name, cells, differing.length);
    return differing;
  });
}

function tell(name: string, cells: number, differing: number): void {
  total.cells += cells;
  total.differing += differing;
  process.stderr.write(`${name}: ${cells.toLocaleString("en")} cells compared, ${differing} views differ\n`);
}
