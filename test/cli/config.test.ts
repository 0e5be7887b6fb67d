import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { commands } from "../../pipeline/commands/index.js";
import { load } from "../support/proof-warehouse.js";
import { runPiquet } from "../support/run-piquet.js";
import { tempFolder } from "../support/temp-folder.js";

interface Row {
  readonly name: string;
  readonly value: unknown;
  readonly source: string;
  readonly place: string | null;
  readonly note: string | null;
}

interface Shown {
  readonly config_file: unknown;
  readonly settings: readonly Row[];
  readonly unknown_variables: readonly string[];
}

async function show(home: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const { stdout } = await runPiquet(["config", "--json", ...args], { home, env });
  const shown: Shown = JSON.parse(stdout);
  return { ...shown, row: (name: string) => shown.settings.find((row) => row.name === name) };
}

describe("piquet config", () => {
  it("shows every setting with the place that it comes from", async () => {
    const home = tempFolder({
      ".config/piquet/config.json": JSON.stringify({
        db: "w.duckdb",
        jobs: 3,
        content: "none",
        projects: { "~/trees/*": "~/shop" },
      }),
      ".pi/agent/sessions/a.jsonl": "",
    });
    const file = join(home, ".config/piquet/config.json");
    const env = { PIQUET_CONTENT: "full", PIQUET_STRICT: "1", PIQUET_TIEM_ZONE: "UTC" };
    const shown = await show(home, ["--machine", "desk"], env);
    expect(shown.config_file).toEqual({ path: file, is_there: true });
    expect(shown.unknown_variables).toEqual(["PIQUET_TIEM_ZONE"]);
    expect(["db", "jobs", "content", "strict", "machine", "full"].map((name) => shown.row(name))).toEqual([
      { name: "db", value: join(home, ".config/piquet/w.duckdb"), source: "file", place: file, note: null },
      { name: "jobs", value: 3, source: "file", place: file, note: null },
      { name: "content", value: "full", source: "environment", place: "PIQUET_CONTENT", note: null },
      { name: "strict", value: true, source: "environment", place: "PIQUET_STRICT", note: null },
      { name: "machine", value: "desk", source: "flag", place: "--machine", note: null },
      { name: "full", value: false, source: "default", place: null, note: null },
    ]);
    expect(shown.row("projects")).toMatchObject({
      value: { [join(home, "trees/*")]: join(home, "shop") },
      place: file,
    });
    expect(shown.row("roots")).toMatchObject({
      value: [join(home, ".pi/agent/sessions")],
      source: "default",
    });
  });

  it("knows every setting that a command reads from the environment", async () => {
    const names = commands.flatMap(({ options }) =>
      Object.keys(options).filter((name) => options[name]?.isFlagOnly === undefined),
    );
    const shown = await show(tempFolder());
    expect(shown.settings.map(({ name }) => name).toSorted()).toEqual(
      [...new Set([...names, "projects", "roots", "quiet", "verbose"])].toSorted(),
    );
  });

  it("says what a default means where commands differ, and where no folder was found", async () => {
    const shown = await show(tempFolder());
    expect(shown.row("content")).toMatchObject({ value: null, note: "full (ingest), none (publish)" });
    expect(shown.row("roots")).toMatchObject({
      value: [],
      note: expect.stringContaining("no session folder found"),
    });
  });

  it("takes zone and machine from the warehouse where it has them", async () => {
    const home = tempFolder();
    const dbPath = join(home, "w.duckdb");
    expect((await show(home, ["--db", dbPath])).row("machine")).toMatchObject({
      source: "default",
      note: "then fixed by the first load",
    });
    await load(dbPath, [resolve("examples/sessions")], { timeZone: "Asia/Tokyo" });
    const shown = await show(home, ["--db", dbPath]);
    expect(shown.row("time-zone")).toMatchObject({ value: "Asia/Tokyo", source: "warehouse" });
    expect(shown.row("machine")).toMatchObject({ value: "ada-laptop", source: "warehouse" });
    const given = await show(home, ["--db", dbPath], { PIQUET_TIME_ZONE: "UTC" });
    expect(given.row("time-zone")).toMatchObject({ value: "UTC", place: "PIQUET_TIME_ZONE" });
  });

  it("shows the warehouse inside a Parquet folder", async () => {
    const home = tempFolder();
    const shown = await show(home, ["--parquet", "lake"]);
    expect(shown.row("db")).toMatchObject({
      value: join(home, "lake/.piquet/warehouse.duckdb"),
      note: "inside the Parquet folder",
    });
  });

  it("is a table for a person", async () => {
    const home = tempFolder({ ".config/piquet/config.json": '{"projects": {"/a/*": "/b", "/c": "/d"}}' });
    const { stdout, exitCode } = await runPiquet(["config"], { home, env: { PIQUET_JOBS: "1" } });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`config file: ${join(home, ".config/piquet/config.json")}\n`);
    expect(stdout).toMatch(/^projects +\/a\/\* -> \/b +\/.*config\.json\n +\/c -> \/d\n/m);
    expect(stdout).toMatch(/^jobs +1 +PIQUET_JOBS$/m);
    expect(stdout).toMatch(/^models +- +default$/m);
  });

  it("refuses what a load would refuse, and never shows a password", async () => {
    const home = tempFolder();
    const wrong = await runPiquet(["config"], { home, env: { PIQUET_JOBS: "99" } });
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      2,
      expect.stringContaining("PIQUET_JOBS: expected a whole number from 1 to 64, found 99"),
    ]);
    const { stdout } = await runPiquet(["config"], { home, env: { PIQUET_TO: "s3://ada:hunter2@lake/pi" } });
    expect(stdout).toContain("s3://lake/pi");
    expect(stdout).not.toContain("hunter2");
  });
});
