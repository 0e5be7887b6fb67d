import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { failedChecks } from "../support/failed-checks.js";
import { countedCost, load, query, removeWarehouse } from "../support/proof-warehouse.js";
import { tempFolder } from "../support/temp-folder.js";
import { seededRandom } from "./fuzz/random.js";
import { digest } from "./support/digest.js";
import { type PiquetProcess, startPiquet } from "./support/piquet-process.js";
import { trials } from "./support/tally.js";
import { writeMore, writeSessions } from "./support/write-sessions.js";
import { killCount, tortureSeed } from "./torture-options.js";

const SESSIONS = 16;
const timeout = 3_600_000;
const LAST_LOAD =
  "select coalesce(max(load_id), 0)::integer as id from base.loads where status = 'succeeded'";

function startLoad(folder: string, root: string, dbPath: string, more: readonly string[]): PiquetProcess {
  return startPiquet(["ingest", root, "--db", dbPath, "--machine", "ada-laptop", ...more], { cwd: folder });
}

/** Starts a load and kills it after a while, or once it says a word. Gives false where it was done before. */
async function killedLoad(
  folder: string,
  root: string,
  dbPath: string,
  when: number | string,
  more: readonly string[] = [],
): Promise<boolean> {
  const run = startLoad(folder, root, dbPath, more);
  await (typeof when === "number" ? sleep(when) : run.saying(when));
  run.child.kill("SIGKILL");
  return (await run.ended).signal === "SIGKILL";
}

/** How long an undisturbed load takes, in milliseconds. */
async function timeOf(
  folder: string,
  root: string,
  dbPath: string,
  more: readonly string[] = [],
): Promise<number> {
  const startedAt = performance.now();
  const { exitCode } = await startLoad(folder, root, dbPath, more).ended;
  expect(exitCode).toBe(0);
  return performance.now() - startedAt;
}

function moments(tookMs: number): (number | string)[] {
  const random = seededRandom(tortureSeed);
  const words = ['"planned"', '"msg":"read"', '"loaded"'];
  return Array.from({ length: killCount }, (_, index) =>
    index % 3 === 2 ? (words[Math.floor(index / 3) % 3] ?? "") : tookMs * (0.15 + 0.9 * random.next()),
  );
}

/** What lies beside warehouses and sessions, but for a half made file of 12 kB that a kill may leave. */
function leftovers(folder: string): string[] {
  return readdirSync(folder).filter((name) => !/^(?:\.piquet-\d+\.new|sessions|\w+\.duckdb)$/.test(name));
}

describe(`a run killed at any moment, seed ${tortureSeed}`, () => {
  it(`leaves a first load to the next run (${killCount} kills)`, { timeout }, async () => {
    const folder = tempFolder();
    const { root, costUsd } = writeSessions(join(folder, "sessions"), SESSIONS);
    const dbPath = join(folder, "w.duckdb");
    const tookMs = await timeOf(folder, root, dbPath);
    const whole = await digest(dbPath);
    let killed = 0;
    const tries = trials("kill -9, first load");
    for (const when of moments(tookMs)) {
      tries.begin();
      removeWarehouse(dbPath);
      if (await killedLoad(folder, root, dbPath, when)) killed += 1;
      if (existsSync(dbPath)) expect((await query(dbPath, "select 1 as x")).length).toBe(1);
      await load(dbPath, [root]);
      tries.rows(whole, await digest(dbPath));
      tries.total(costUsd, await countedCost(dbPath));
    }
    expect(killed).toBeGreaterThan(0);
    expect(leftovers(folder)).toEqual([]);
    expect(await failedChecks(dbPath)).toEqual([]);
  });

  it(`leaves a later load's warehouse as it was or as it will be (${killCount} kills)`, {
    timeout,
  }, async () => {
    const folder = tempFolder();
    const first = writeSessions(join(folder, "sessions"), SESSIONS);
    const { root } = first;
    const beforePath = join(folder, "before.duckdb");
    const dbPath = join(folder, "w.duckdb");
    await load(beforePath, [root]);
    const before = await digest(beforePath);
    const { costUsd } = writeMore(first, SESSIONS, 12);
    copyFileSync(beforePath, dbPath);
    const tookMs = await timeOf(folder, root, dbPath);
    const after = await digest(dbPath);
    const tries = trials("kill -9, later load");
    for (const when of moments(tookMs)) {
      tries.begin();
      removeWarehouse(dbPath);
      copyFileSync(beforePath, dbPath);
      await killedLoad(folder, root, dbPath, when);
      const [loads] = await query(dbPath, LAST_LOAD);
      tries.rows(loads?.["id"] === 1 ? before : after, await digest(dbPath));
      await load(dbPath, [root]);
      tries.rows(after, await digest(dbPath));
      tries.total(costUsd, await countedCost(dbPath));
    }
    expect(await failedChecks(dbPath)).toEqual([]);
  });

  it(`leaves a file that is written anew as one of both (${killCount} kills)`, { timeout }, async () => {
    const folder = tempFolder();
    const { root, costUsd } = writeSessions(join(folder, "sessions"), SESSIONS);
    const beforePath = join(folder, "before.duckdb");
    const dbPath = join(folder, "w.duckdb");
    await load(beforePath, [root]);
    const before = await digest(beforePath);
    copyFileSync(beforePath, dbPath);
    const tookMs = await timeOf(folder, root, dbPath, ["--content", "none"]);
    const after = await digest(dbPath);
    const random = seededRandom(tortureSeed);
    const tries = trials("kill -9, file written anew");
    for (let kill = 0; kill < killCount; kill += 1) {
      tries.begin();
      removeWarehouse(dbPath);
      copyFileSync(beforePath, dbPath);
      const when = kill % 3 === 0 ? '"loaded"' : tookMs * (0.6 + 0.45 * random.next());
      await killedLoad(folder, root, dbPath, when, ["--content", "none"]);
      const [loads] = await query(dbPath, LAST_LOAD);
      tries.rows(loads?.["id"] === 1 ? before : after, await digest(dbPath));
      await load(dbPath, [root], { content: "none" });
      tries.rows(after, await digest(dbPath));
      tries.total(costUsd, await countedCost(dbPath));
      expect(readFileSync(dbPath).includes("line of output")).toBe(false);
      expect(leftovers(folder)).toEqual([]);
    }
  });
});
