import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { runToEnd, startPiquet } from "./support/piquet-process.js";
import { OTHER_FILES, SECRET_MARKS, secretOldSession, secretSession } from "./support/secret-session.js";

const timeout = 300_000;

/**
 * What `--content none` keeps by design, and what the planted session therefore has no secret in: ids of
 * sessions, entries, calls, runs and responses; types of entries, roles, custom types, kinds of usage; names of
 * tools, namespaces, skills, sub-agents, models, providers and their interfaces; thinking levels; stop reasons;
 * paths of session files, projects, skills' folders and spilled output.
 */
function plant(folder: string): string {
  const root = join(folder, "sessions");
  mkdirSync(root);
  writeFileSync(join(root, "a.jsonl"), secretSession());
  writeFileSync(join(root, "b.jsonl"), secretOldSession());
  for (const [name, text] of Object.entries(OTHER_FILES)) writeFileSync(join(root, name), text);
  return root;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

function holdsSecret(bytes: Buffer | string): boolean {
  return SECRET_MARKS.some((mark) => bytes.includes(mark));
}

/** Files that hold a secret as it is; compressed text does not show so. */
function leakingFiles(folder: string): string[] {
  return filesBelow(folder).filter((path) => holdsSecret(readFileSync(path)));
}

/** `table.column: value` of every text of a database that holds a secret. */
async function leakingColumns(setUp: string, catalog: string): Promise<string[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(setUp);
  const columns = await connection.runAndReadAll(
    `select table_schema, table_name, column_name from information_schema.columns
     where table_catalog = '${catalog}' and data_type = 'VARCHAR' order by all`,
  );
  const leaks: string[] = [];
  for (const [schema, table, column] of columns.getRows()) {
    const found = await connection.runAndReadAll(
      `select distinct "${column}" from ${catalog}."${schema}"."${table}"
       where ${SECRET_MARKS.map((mark) => `contains("${column}", '${mark}')`).join(" or ")}`,
    );
    leaks.push(...found.getRows().map(([value]) => `${schema}.${table}.${column}: ${value}`));
  }
  connection.closeSync();
  instance.closeSync();
  return leaks;
}

function leaksOfDatabase(path: string): Promise<string[]> {
  return leakingColumns(`attach '${path}' as w (read_only)`, "w");
}

/** The same for Parquet files, each of which becomes a table. */
function leaksOfParquet(folder: string): Promise<string[]> {
  const paths = filesBelow(folder).filter((path) => path.endsWith(".parquet"));
  expect(paths.length).toBeGreaterThan(10);
  const tables = paths.map((path, index) => `create view "${index}" as from read_parquet('${path}')`);
  return leakingColumns(tables.join(";"), "memory");
}

describe("without content", () => {
  it("a load leaves no word of a session in its files, its report or its log", { timeout }, async () => {
    const folder = tempFolder();
    const root = plant(folder);
    const place = join(folder, "out");
    mkdirSync(place);
    const dbPath = join(place, "w.duckdb");
    const run = startPiquet(["ingest", root, "--db", dbPath, "--content", "none", "--verbose", "--json"], {
      cwd: folder,
      env: { TMPDIR: place },
    });
    const leaksMeanwhile: string[] = [];
    for (const word of ['"planned"', '"msg":"read"', '"loaded"']) {
      await run.saying(word);
      run.child.kill("SIGSTOP");
      leaksMeanwhile.push(...leakingFiles(place));
      run.child.kill("SIGCONT");
    }
    const { exitCode, stdout, stderr } = await run.ended;
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      files: { loaded: 2, skipped: 2 },
      rejects: 4,
      pending_tails: 1,
    });
    expect([holdsSecret(stdout), holdsSecret(stderr)]).toEqual([false, false]);
    expect([leaksMeanwhile, leakingFiles(place)]).toEqual([[], []]);
    expect(await leaksOfDatabase(dbPath)).toEqual([]);
  });

  it("neither a published load nor one of full content leaves any in Parquet", { timeout }, async () => {
    const folder = tempFolder();
    const root = plant(folder);
    const lake = join(folder, "lake");
    const loaded = await runToEnd(["ingest", root, "--parquet", lake, "--content", "none", "--verbose"], {
      cwd: folder,
    });
    expect([loaded.exitCode, holdsSecret(loaded.stdout), holdsSecret(loaded.stderr)]).toEqual([
      0,
      false,
      false,
    ]);
    expect([leakingFiles(lake), await leaksOfParquet(lake)]).toEqual([[], []]);

    const full = join(folder, "full.duckdb");
    const published = join(folder, "published");
    const kept = await runToEnd(["ingest", root, "--db", full, "--verbose"], { cwd: folder });
    const run = await runToEnd(["publish", "--db", full, "--to", published, "--verbose"], { cwd: folder });
    for (const { exitCode, stdout, stderr } of [kept, run])
      expect([exitCode, holdsSecret(stdout), holdsSecret(stderr)]).toEqual([0, false, false]);
    expect((await leaksOfDatabase(full)).length).toBeGreaterThan(50);
    expect([leakingFiles(published), await leaksOfParquet(published)]).toEqual([[], []]);
  });

  it("what a warehouse held before goes from its file", { timeout }, async () => {
    const folder = tempFolder();
    const root = plant(folder);
    const dbPath = join(folder, "w.duckdb");
    await runToEnd(["ingest", root, "--db", dbPath], { cwd: folder });
    expect((await leaksOfDatabase(dbPath)).length).toBeGreaterThan(50);
    const { exitCode } = await runToEnd(["ingest", root, "--db", dbPath, "--content", "none"], {
      cwd: folder,
    });
    expect([exitCode, await leaksOfDatabase(dbPath)]).toEqual([0, []]);
    expect(holdsSecret(readFileSync(dbPath))).toBe(false);
  });
});
