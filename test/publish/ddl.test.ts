import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import golden from "../golden/v1.json" with { type: "json" };
import { publish, withMemory } from "../support/lake.js";
import { proofFolder } from "../support/proof-folder.js";
import { load, queryAll } from "../support/proof-warehouse.js";
import { runPiquet } from "../support/run-piquet.js";

const folder = proofFolder();
const dbPath = join(folder, "w.duckdb");
const lake = join(folder, "lake");

beforeAll(async () => {
  await load(dbPath, [resolve("examples/sessions")], { machine: "desk" });
  await publish(dbPath, lake, "full");
});

const ddl = (...args: readonly string[]) => runPiquet(["ddl", ...args], { home: folder });

describe("piquet ddl", () => {
  it("prints SQL for DuckDB that can be run again and gives the answers of the warehouse", async () => {
    const { stdout, exitCode } = await ddl("--engine", "duckdb", "--lake", "lake");
    expect(exitCode).toBe(0);
    const questions = golden.map(({ view }) => `select * from v1.${view} order by all`);
    const answers = await withMemory(async (connection) => {
      await connection.run(stdout);
      await connection.run(stdout);
      const found = [];
      for (const sql of questions) found.push((await connection.runAndReadAll(sql)).getRowObjectsJson());
      return found;
    });
    expect(answers).toEqual(await queryAll(dbPath, questions));
  });

  it("prints SQL for ClickHouse with every column Nullable, over the files of the manifests alone", async () => {
    const { stdout } = await ddl("--engine", "clickhouse", "--lake", "lake");
    const views = stdout.split("\n\n").filter((text) => text.startsWith("create or replace view"));
    expect(
      views.filter((text) => !/settings cast_keep_nullable = 1, join_use_nulls = 1;\s*$/.test(text)),
    ).toEqual([]);
    expect(views.map((text) => /view (\w+\."?\w+)/.exec(text)?.[1])).toContain('v1."spend_daily');
    expect(stdout).toContain(
      `file('${lake}/base/sessions/desk-1.parquet', 'Parquet', 'session_key Nullable(String), base_session_key Nullable(String)`,
    );
    expect(stdout).toContain("cost_usd Nullable(Decimal(18, 9))");
    expect(stdout).toContain("occurred_at Nullable(DateTime64(6, \\'UTC\\'))");
  });

  it.each([
    [["--engine", "oracle", "--lake", "lake"], "--engine: expected one of clickhouse, duckdb, found oracle"],
    [["--lake", "lake"], "--engine is missing"],
    [["--engine", "duckdb"], "--lake is missing"],
    [["--engine", "duckdb", "--lake", "nowhere"], "no lake at"],
  ])("ends with 2 for %j", async (args, message) => {
    const { exitCode, stderr } = await ddl(...args);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
