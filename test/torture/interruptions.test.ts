import { spawn } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { runQuery } from "../../pipeline/query/query.js";
import { countedCost, load, query } from "../support/proof-warehouse.js";
import { runPiquet } from "../support/run-piquet.js";
import { tempFolder } from "../support/temp-folder.js";
import { digest } from "./support/digest.js";
import { runToEnd, startPiquet } from "./support/piquet-process.js";
import { trials } from "./support/tally.js";
import { type Corpus, writeMore, writeSessions } from "./support/write-sessions.js";

const SESSIONS = 16;
/** A person who pressed the keys waits no longer. */
const STOP_MS = 10_000;
const timeout = 300_000;

interface Night {
  readonly folder: string;
  readonly dbPath: string;
  readonly before: Record<string, string>;
  /** What is on disk now, and not yet loaded. */
  readonly corpus: Corpus;
}

/** A loaded warehouse, and more on disk than it knows. */
async function secondNight(): Promise<Night> {
  const folder = tempFolder();
  const first = writeSessions(join(folder, "sessions"), SESSIONS);
  const dbPath = join(folder, "w.duckdb");
  await load(dbPath, [first.root]);
  return { folder, dbPath, before: await digest(dbPath), corpus: writeMore(first, SESSIONS, 8) };
}

async function outcomeOf(run: Promise<unknown>): Promise<string> {
  try {
    await run;
    return "done";
  } catch (error) {
    return error instanceof Error && "code" in error ? `${error.code} ${error.message}` : String(error);
  }
}

function ask(dbPath: string): Promise<void> {
  return runQuery({
    dbPath,
    sql: "select count(*) from v1.sessions",
    target: { format: "json" },
    isUnsafe: false,
    memoryLimitBytes: 2 ** 29,
    tempDir: dirname(dbPath),
    signal: new AbortController().signal,
    write: async () => {},
  });
}

async function execute(dbPath: string, sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(dbPath);
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}

describe("a run that is told to stop", () => {
  it.each([
    ["SIGTERM", "reads", '"planned"'],
    ["SIGINT", "joins what it read", '"msg":"read"'],
  ] as const)("by %s while it %s ends soon and keeps nothing", { timeout }, async (signal, _what, word) => {
    const { folder, dbPath, before, corpus } = await secondNight();
    const tries = trials("SIGINT and SIGTERM");
    const run = startPiquet(["ingest", corpus.root, "--db", dbPath, "--full"], { cwd: folder });
    await run.saying(word);
    const toldAt = performance.now();
    run.child.kill(signal);
    const { exitCode, stdout, stderr } = await run.ended;
    expect(performance.now() - toldAt).toBeLessThan(STOP_MS);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("stopped; nothing of this run was kept");
    tries.rows(before, await digest(dbPath));
    expect(await query(dbPath, "select status, failure_message from base.loads where load_id = 2")).toEqual([
      { status: "failed", failure_message: "stopped; nothing of this run was kept" },
    ]);
    expect(readdirSync(folder).toSorted()).toEqual(["sessions", "w.duckdb"]);
    await load(dbPath, [corpus.root]);
    tries.total(corpus.costUsd, await countedCost(dbPath));
  });
});

describe("a warehouse that is in use", () => {
  it("by a load is refused to other loads and to questions, which name the process", {
    timeout,
  }, async () => {
    const { folder, dbPath, corpus } = await secondNight();
    const tries = trials("two loads at once");
    const run = startPiquet(["ingest", corpus.root, "--db", dbPath, "--full"], { cwd: folder });
    await run.saying('"planned"');
    run.child.kill("SIGSTOP");
    const others = await Promise.all([
      runToEnd(["ingest", corpus.root, "--db", dbPath], { cwd: folder }),
      runToEnd(["sql", "--db", dbPath, "from v1.spend_daily"], { cwd: folder }),
    ]);
    run.child.kill("SIGCONT");
    expect(others.map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual([
      [5, ""],
      [5, ""],
    ]);
    for (const { stderr } of others)
      expect(stderr).toMatch(new RegExp(`w\\.duckdb is in use by .*${run.child.pid}\\b`));
    expect((await run.ended).exitCode).toBe(0);
    tries.total(corpus.costUsd, await countedCost(dbPath));
  });

  it("by a reader of another program is refused to a load, which names the process", {
    timeout,
  }, async () => {
    const { folder, dbPath, before, corpus } = await secondNight();
    const tries = trials("a reader holds the file");
    const script = `const { DuckDBInstance } = await import("@duckdb/node-api");
      const instance = await DuckDBInstance.create(${JSON.stringify(dbPath)}, { access_mode: "READ_ONLY" });
      const connection = await instance.connect();
      console.log("open"); setInterval(() => connection, 1000);`;
    const reader = spawn(process.execPath, ["--input-type=module", "-e", script]);
    await new Promise((opened) => reader.stdout.once("data", opened));
    const refused = await runToEnd(["ingest", corpus.root, "--db", dbPath], { cwd: folder });
    const ended = new Promise((done) => reader.once("close", done));
    reader.kill();
    await ended;
    expect(refused.exitCode).toBe(5);
    expect(JSON.parse(refused.stderr.trim().split("\n").at(-1) ?? "")).toMatchObject({
      msg: `${dbPath} is in use by ${process.execPath} (PID ${reader.pid})`,
    });
    tries.rows(before, await digest(dbPath));
  });
});

describe("a file that is no warehouse of this program", () => {
  const damages: readonly (readonly [string, (whole: Buffer) => Buffer])[] = [
    [
      "has random bytes",
      (whole) => Buffer.from(whole.map((_byte, index) => (index * 7_919 + (index >> 3)) & 0xff)),
    ],
    ["ends too early", (whole) => whole.subarray(0, whole.length / 3)],
    ["is all zeros", (whole) => Buffer.alloc(whole.length)],
    ["is a text", () => Buffer.from("spend,model\n1,opus\n")],
    ["is empty", () => Buffer.alloc(0)],
    ["lost its first block", (whole) => Buffer.concat([Buffer.alloc(4096), whole.subarray(4096)])],
  ];

  it("is refused and stays as it is, however it is damaged", { timeout }, async () => {
    const folder = tempFolder();
    const { root } = writeSessions(join(folder, "sessions"), 2);
    const wholePath = join(folder, "whole.duckdb");
    await load(wholePath, [root]);
    const whole = readFileSync(wholePath);
    const tries = trials("a damaged file, left as it is");
    for (const [what, damage] of damages) {
      tries.begin();
      const damaged = damage(whole);
      const dbPath = join(tempFolder(), "w.duckdb");
      writeFileSync(dbPath, damaged);
      expect([what, await outcomeOf(load(dbPath, [root]))]).toEqual([
        what,
        expect.stringMatching(
          /^FAILED (?:cannot open .*w\.duckdb as a warehouse: |.*w\.duckdb is damaged: )/,
        ),
      ]);
      expect([what, await outcomeOf(ask(dbPath))]).toEqual([
        what,
        expect.stringMatching(
          /^(?:USAGE .*w\.duckdb is not a DuckDB file|FAILED (?:.*w\.duckdb|IO Error: ))/,
        ),
      ]);
      tries.total([what, true], [what, readFileSync(dbPath).equals(damaged)]);
    }
  });

  it("is refused where a later version wrote it", { timeout }, async () => {
    const folder = tempFolder();
    const { root } = writeSessions(join(folder, "sessions"), 2);
    const dbPath = join(folder, "w.duckdb");
    await load(dbPath, [root]);
    await execute(dbPath, "update meta.settings set value = '9999' where key = 'schema_version'");
    const copyPath = join(folder, "copy.duckdb");
    copyFileSync(dbPath, copyPath);
    await expect(load(dbPath, [root])).rejects.toMatchObject({
      exitCode: 4,
      message: expect.stringMatching(
        /w\.duckdb has schema version 9999, this program knows \d+; use a newer piquet$/,
      ),
    });
    const asked = async (...args: string[]): Promise<number | null> =>
      (await runPiquet([...args, "--db", dbPath], { home: folder })).exitCode;
    expect(await asked("sql", "select 1 as one")).toBe(4);
    expect(await asked("sql", "select 1 as one", "--unsafe")).toBe(0);
    expect(await asked("check")).toBe(4);
    expect(await asked("prune", "--before", "2026-01-01")).toBe(4);
    expect(await asked("publish", "--to", "lake")).toBe(4);
    expect(readFileSync(dbPath).equals(readFileSync(copyPath))).toBe(true);
  });
});
