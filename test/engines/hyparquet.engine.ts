import { join, resolve } from "node:path";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { describe, expect, it } from "vitest";
import { publish, readManifest, withMemory } from "../support/lake.js";
import { load } from "../support/proof-warehouse.js";
import { tempFolder } from "../support/temp-folder.js";

/** Types that both readers give as the same JavaScript values. */
const PLAIN_TYPES: ReadonlySet<string> = new Set(["varchar", "bigint", "integer", "double", "boolean"]);

describe("a reader in plain JavaScript", () => {
  it("reads every file, with the rows that DuckDB reads", async () => {
    const folder = tempFolder();
    const [dbPath, lake] = [join(folder, "w.duckdb"), join(folder, "lake")];
    await load(dbPath, [resolve("examples/sessions")], { machine: "desk" });
    await publish(dbPath, lake, "full");
    const { files, relations } = readManifest(lake, "desk");
    await withMemory(async (connection) => {
      for (const { path, rows, relation } of files) {
        const types = Object.entries(relations[relation] ?? {});
        const names = types.filter(([, type]) => PLAIN_TYPES.has(type)).map(([name]) => name);
        const file = await asyncBufferFromFile(join(lake, path));
        const found = await parquetReadObjects({ file, compressors });
        const columns = names.map((name) => `"${name}"`).join(", ");
        const expected = await connection.runAndReadAll(
          `select ${columns} from read_parquet('${join(lake, path)}', hive_partitioning = false)`,
        );
        expect([path, found.length]).toEqual([path, rows]);
        expect(found.map((row) => names.map((name) => row[name] ?? null))).toEqual(expected.getRows());
      }
    });
  });
});
