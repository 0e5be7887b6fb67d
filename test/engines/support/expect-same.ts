import { afterAll, beforeAll, expect } from "vitest";
import { tempFolder } from "../../support/temp-folder.js";
import { openBucket } from "./bucket.js";
import { loadRuns, type Runs } from "./case-runs.js";
import { openClickHouse } from "./clickhouse.js";
import { compareReaders, type Engines, type Readers, sumsOf } from "./readers.js";

/** Loads sessions and expects every reader to give the warehouse's answers, at least so many cells of them. */
export type ExpectSame = (name: string, runs: Runs, leastCells: number) => Promise<void>;

export const ANSWERS = "gives the same answers to every public view in every reader";

/** Prints the sum over all comparisons after the last test of the file. */
export function openReaders(): ExpectSame {
  const clickhouse = openClickHouse();
  const all: Readers[] = [];
  let engines: Engines;
  beforeAll(async () => {
    engines = { clickhouse, bucket: await openBucket() };
  });
  afterAll(() => {
    process.stderr.write(`${all.length} warehouses: ${sumsOf(all)}\n`);
  });
  return async (name, runs, leastCells) => {
    const readers = await compareReaders(name, await loadRuns(tempFolder(), runs), engines);
    all.push(readers);
    for (const { cells, differing, views } of Object.values(readers)) {
      expect({ differing, views }).toEqual({ differing: 0, views: [] });
      expect(cells).toBeGreaterThanOrEqual(leastCells);
    }
  };
}
