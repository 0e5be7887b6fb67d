import { cpSync, readFileSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { load, query, snapshot } from "../support/proof-warehouse.js";
import { tempFolder } from "../support/temp-folder.js";

async function run(dbPath: string, ...statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(dbPath);
  const connection = await instance.connect();
  for (const sql of statements) await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}

function openWorld() {
  const folder = tempFolder();
  const sessions = join(folder, "sessions");
  cpSync(resolve("examples/sessions"), sessions, { recursive: true });
  return { folder, sessions, dbPath: join(folder, "w.duckdb") };
}

describe("a warehouse", () => {
  it("comes back from DuckDB's own export, views by the next load", async () => {
    const { folder, sessions, dbPath } = openWorld();
    const [exported, restored] = [join(folder, "export"), join(folder, "restored.duckdb")];
    await load(dbPath, [sessions]);
    await run(dbPath, `export database '${exported}' (format parquet)`);
    const schema = readFileSync(join(exported, "schema.sql"), "utf8")
      .split("\n")
      .filter((line) => !line.startsWith("CREATE VIEW"));
    await run(restored, schema.join("\n"), readFileSync(join(exported, "load.sql"), "utf8"));

    const report = await load(restored, [sessions]);
    expect(report.files).toMatchObject({ loaded: 0, unchanged: 4 });
    expect(await snapshot(restored)).toEqual(await snapshot(dbPath));
    const spend = "select * from v1.spend_daily order by all";
    expect(await query(restored, spend)).toEqual(await query(dbPath, spend));
  });

  it("goes on at another place under the name of its machine, where sessions that moved count once", async () => {
    const { folder, sessions, dbPath } = openWorld();
    await load(dbPath, [sessions]);
    const spend = "select sum(cost_usd)::varchar as cost_usd from v1.spend_daily";
    const before = await query(dbPath, spend);
    const moved = join(folder, "new-laptop.duckdb");
    renameSync(dbPath, moved);
    renameSync(sessions, join(folder, "elsewhere"));
    await load(moved, [join(folder, "elsewhere")]);
    expect(await query(moved, spend)).toEqual(before);
    expect(await query(moved, "select distinct machine from base.files")).toEqual([
      { machine: "ada-laptop" },
    ]);
    expect(await query(moved, "select count(*)::integer as n from v1.sessions")).toEqual([{ n: 4 }]);
  });
});
