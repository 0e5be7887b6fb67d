import { execFileSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { lakeDdl } from "../../pipeline/lake-ddl.js";
import { openLake } from "../../pipeline/open-lake.js";
import { folderStore } from "../../pipeline/publish/folder-store.js";
import { readLake } from "../../pipeline/publish/read-lake.js";
import { publish, withMemory } from "../support/lake.js";
import { load } from "../support/proof-warehouse.js";
import { tempFolder } from "../support/temp-folder.js";
import { testDataFolder } from "../support/test-data.js";
import { openClickHouse } from "./support/clickhouse.js";
import { type Comparison, compareViews, keepAnswers } from "./support/compare.js";

const SAMPLE = resolve("examples/sessions");
/** Folder of the sessions that a session of the sample gave to sub-agents. */
const CHILDREN = "--home-ada-shop--/2026-01-06T14-00-00-000Z_0190a000-0000-7000-8000-00000000000c";
const clickhouse = openClickHouse();

async function useLake(lake: string): Promise<void> {
  const address = { kind: "file", clickhouse: `${lake}/`, duckdb: `${lake}/` } as const;
  clickhouse.runAll(lakeDdl("clickhouse", await readLake(folderStore(lake)), address));
}

/** Answers of a warehouse against those of ClickHouse over its lake. */
async function compareWarehouse(name: string, sessions: readonly string[]): Promise<Comparison> {
  const folder = tempFolder();
  const [dbPath, lake] = [join(folder, "w.duckdb"), join(folder, "lake")];
  await load(dbPath, sessions, { machine: "desk" });
  await publish(dbPath, lake, "full");
  await useLake(lake);
  return await withMemory(async (connection) => {
    await connection.run(`attach '${dbPath}' as w (read_only)`);
    await keepAnswers(connection, "w.");
    return told(name, await compareViews(connection, clickhouse, folder));
  });
}

/** Answers of DuckDB over a lake against those of ClickHouse. */
async function compareLake(name: string, lake: string, folder: string): Promise<Comparison> {
  await useLake(lake);
  const { statements } = await openLake(lake);
  return await withMemory(async (connection) => {
    await connection.run(statements.join(";\n"));
    await keepAnswers(connection, "");
    return told(name, await compareViews(connection, clickhouse, folder));
  });
}

function told(name: string, comparison: Comparison): Comparison {
  const cells = comparison.cells.toLocaleString("en");
  process.stderr.write(`${name}: ${cells} cells compared, ${comparison.differing.length} views differ\n`);
  return comparison;
}

describe("ClickHouse over a lake", () => {
  it("answers every public view as the warehouse does", async () => {
    const { cells, differing } = await compareWarehouse("sample", [SAMPLE]);
    expect(differing).toEqual([]);
    expect(cells).toBeGreaterThan(500);
  });

  it("answers as DuckDB does where machines hold copies of each other's sessions", async () => {
    const folder = tempFolder();
    const lake = join(folder, "lake");
    for (const name of ["desk", "laptop"]) {
      const sessions = join(folder, name);
      cpSync(SAMPLE, sessions, { recursive: true });
      // One lacks the sub-agents' files, so that those of the other are found for it.
      if (name === "desk") rmSync(join(sessions, CHILDREN), { recursive: true });
      await load(join(folder, `${name}.duckdb`), [sessions], { machine: name });
      await publish(join(folder, `${name}.duckdb`), lake, "full");
    }
    const { differing } = await compareLake("two machines", lake, folder);
    expect(differing).toEqual([]);
  });
});

describe.skipIf(testDataFolder() === null)("ClickHouse over lakes of the larger test data", () => {
  const data = testDataFolder() ?? "";

  it.each([
    ["corpus", ["corpus/agent", "corpus/team-sessions"]],
    ["sub-agents", ["cases/03-subagent-in-parent-and-own-file/sessions"]],
    ["branches", ["cases/07-abandoned-branches-and-two-roots/sessions"]],
    ["failures", ["cases/11-failures-of-every-kind/sessions"]],
    ["odd usage", ["cases/24-odd-usage-values/sessions"]],
    ["unknown types", ["cases/23-unknown-types-roles-blocks-fields/sessions"]],
  ])("answers every public view of %s as the warehouse does", async (name, sessions) => {
    const { differing } = await compareWarehouse(
      name,
      sessions.map((path) => join(data, path)),
    );
    expect(differing).toEqual([]);
  });

  it("answers every public view of 200 synthetic sessions as the warehouse does", async () => {
    const sessions = tempFolder();
    const size = ["--sessions", "200", "--bytes", "20MiB"];
    execFileSync(process.execPath, [join(data, "tools/synth.mjs"), sessions, ...size]);
    const { differing } = await compareWarehouse("200 synthetic sessions", [sessions]);
    expect(differing).toEqual([]);
  });
});
