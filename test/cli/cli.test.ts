import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { commands } from "../../pipeline/commands/index.js";
import { runPiquet } from "../support/run-piquet.js";
import { smallWarehouse } from "../support/small-warehouse.js";
import { tempFolder } from "../support/temp-folder.js";

/** URLs of every script that a run of the program evaluated. */
function loadedScripts(args: readonly string[]): readonly string[] {
  const home = tempFolder();
  const coverage = join(home, "coverage");
  spawnSync(process.execPath, [resolve("dist/pipeline/cli.js"), ...args], {
    env: { PATH: process.env["PATH"], HOME: home, NODE_V8_COVERAGE: coverage },
  });
  return readdirSync(coverage).flatMap((name) => {
    const report: { result: { url: string }[] } = JSON.parse(readFileSync(join(coverage, name), "utf8"));
    return report.result.map(({ url }) => url);
  });
}

describe("piquet", () => {
  it("lists every command with its summary and examples", async () => {
    const { stdout, exitCode } = await runPiquet(["--help"], { home: tempFolder() });
    expect(exitCode).toBe(0);
    for (const { name, summary } of commands)
      expect(stdout).toMatch(new RegExp(`piquet ${name} .*${summary}`));
    expect(stdout).toContain('piquet sql "from v1.spend_daily"');
  });

  it.each(commands.map(({ name }) => name))("has help with examples for %s", async (name) => {
    const { stdout, exitCode } = await runPiquet([name, "--help"], { home: tempFolder() });
    const command = commands.find((candidate) => candidate.name === name);
    expect(exitCode).toBe(0);
    for (const option of Object.keys(command?.options ?? {})) expect(stdout).toContain(`--${option} `);
    expect(stdout).toContain("Examples:");
  });

  it("prints its version", async () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(await runPiquet(["--version"], { home: tempFolder() })).toEqual({
      exitCode: 0,
      stdout: `${version}\n`,
      stderr: "",
    });
  });

  it.each([["--help"], ["--version"], ["ingest", "--help"], ["sql", "--help"]])(
    "loads neither DuckDB nor Arrow for %s %s",
    (...args) => {
      const scripts = loadedScripts(args);
      expect(scripts.some((url) => url.endsWith("dist/pipeline/cli.js"))).toBe(true);
      expect(scripts.filter((url) => /@duckdb|apache-arrow/.test(url))).toEqual([]);
    },
  );

  it.each([
    [[], "no command given"],
    [["sqll"], "Did you mean sql?"],
    [["sql", "--fromat", "json", "select 1"], "Unknown argument: fromat"],
    [["sql", "select", "1"], "Unknown argument: 1"],
    [["sql", "--db"], "Not enough arguments following: db"],
    [
      ["sql", "--format", "xml", "select 1"],
      "--format: expected one of table, json, jsonl, csv, markdown, found xml",
    ],
    [["schema", "nothing"], "there is no table nothing"],
    [["views", "nothing"], "there is no view nothing"],
    [["ingest", "nowhere"], "no such folder: "],
    [["ingest"], "no session folder found; looked at "],
  ])("exits 2 for %j", async (args, message) => {
    const outcome = await runPiquet(args, { home: tempFolder() });
    expect([outcome.exitCode, outcome.stdout]).toEqual([2, ""]);
    expect(outcome.stderr).toContain(`piquet: ${message}`);
  });
});

describe("piquet sql", () => {
  it("prints a table for the query given", async () => {
    const dbPath = await smallWarehouse();
    const outcome = await runPiquet(
      ["sql", "--db", dbPath, "select model_id, cost_usd from v1.usage limit 1"],
      {
        home: tempFolder(),
      },
    );
    expect(outcome).toEqual({
      exitCode: 0,
      stdout: "model_id  cost_usd\n--------  --------\nopus          0.10\n(1 row)\n",
      stderr: "",
    });
  });

  it("takes the query from standard input or a file, and settings from the environment", async () => {
    const home = tempFolder({ "one.sql": "select 1 as a" });
    const env = { PIQUET_DB: await smallWarehouse(), PIQUET_FORMAT: "jsonl" };
    const fromInput = await runPiquet(["sql"], { home, env, input: "select 2 as a" });
    const fromFile = await runPiquet(["sql", "--file", "one.sql"], { home, env });
    expect([fromInput.stdout, fromFile.stdout]).toEqual(['{"a":2}\n', '{"a":1}\n']);
  });

  it("never becomes unsafe by a variable", async () => {
    const env = { PIQUET_DB: await smallWarehouse(), PIQUET_UNSAFE: "true" };
    const outcome = await runPiquet(["sql", "select * from read_text('/etc/hosts')"], {
      home: tempFolder(),
      env,
    });
    expect(outcome.exitCode).toBe(2);
  });

  it("writes a file readable by its owner alone, in the format of its name", async () => {
    const dbPath = await smallWarehouse();
    const output = join(dirname(dbPath), "out.csv");
    await runPiquet(["sql", "--db", dbPath, "--output", output, "select 1 as a"], { home: tempFolder() });
    expect(readFileSync(output, "utf8")).toBe("a\n1\n");
    expect(statSync(output).mode & 0o777).toBe(0o600);
  });

  it("writes Parquet in place of an older file", async () => {
    const dbPath = await smallWarehouse();
    const output = join(dirname(dbPath), "out.parquet");
    writeFileSync(output, "old");
    const outcome = await runPiquet(["sql", "--db", dbPath, "--output", output, "from v1.usage"], {
      home: tempFolder(),
    });
    expect([outcome.exitCode, readFileSync(output).subarray(0, 4).toString()]).toEqual([0, "PAR1"]);
    expect(readdirSync(dirname(dbPath)).toSorted()).toEqual([basename(output), "small.duckdb"]);
  });

  it("leaves an older file as it was when the query fails", async () => {
    const dbPath = await smallWarehouse();
    const output = join(dirname(dbPath), "out.json");
    writeFileSync(output, "old");
    const sql = "select model_id::integer as a from v1.usage where model_id is not null";
    const outcome = await runPiquet(["sql", "--db", dbPath, "--output", output, sql], { home: tempFolder() });
    expect([outcome.exitCode, readFileSync(output, "utf8")]).toEqual([1, "old"]);
    expect(readdirSync(dirname(dbPath)).toSorted()).toEqual(["out.json", "small.duckdb"]);
  });

  it("says where the warehouse should be when there is none", async () => {
    const home = tempFolder();
    const outcome = await runPiquet(["sql", "select 1"], { home });
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stderr).toContain(
      `no warehouse at ${join(home, ".local/share/piquet/warehouse.duckdb")}; \`piquet ingest\` makes one`,
    );
  });

  it("ends quietly when its reader has seen enough", async () => {
    const dbPath = await smallWarehouse();
    const command = `'${process.execPath}' dist/pipeline/cli.js sql --db '${dbPath}' --format csv 'from range(2000000)' | head -2; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", command], { encoding: "utf8" });
    expect([stdout, stderr]).toEqual(["range\n0\n0\n", ""]);
  });
});

describe("piquet schema and views", () => {
  it("print one table or view with its columns", async () => {
    const home = tempFolder();
    const table = await runPiquet(["schema", "base.usage"], { home });
    expect(table.stdout).toMatch(
      /^base\.usage\n[^]*one row per session_key, entry_seq, usage_seq\n[^]* {2}cost_usd +decimal/,
    );
    const view = await runPiquet(["views", "spend_daily"], { home });
    expect(view.stdout).toMatch(/^v1\.spend_daily\n[^]*one row per spent_on, machine/);
  });

  it("print JSON when asked to", async () => {
    const home = tempFolder();
    const tables = JSON.parse((await runPiquet(["schema", "--json"], { home })).stdout);
    expect(tables.map(({ name }: { name: string }) => name)).toContain("usage");
    const [view] = JSON.parse((await runPiquet(["views", "spend_daily", "--json"], { home })).stdout);
    expect([view.schema, view.name, view.grain[0]]).toEqual(["v1", "spend_daily", "spent_on"]);
  });
});
