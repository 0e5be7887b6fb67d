import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { askLake, publish, readManifest } from "../support/lake.js";
import { proofFolder } from "../support/proof-folder.js";
import { load, query } from "../support/proof-warehouse.js";
import { filesBelow } from "../support/world-folder.js";

const folder = proofFolder();
const dbPath = join(folder, "w.duckdb");
const before = join(folder, "before");
const lake = join(folder, "lake");
const SPEND = "select spent_on, model_id, request_count, cost_usd from v1.spend_daily order by all";
/** Every how manieth place between two files is tried; 1 for all. */
const STRIDE = process.env["PIQUET_TORTURE_KILLS"] === undefined ? 7 : 1;

let oldSpend: unknown;
let newSpend: unknown;
let oldFiles: readonly string[];

/** A lake that one run has filled, and a warehouse in which every month has changed since. */
beforeAll(async () => {
  const sessions = join(folder, "sessions");
  cpSync(resolve("examples/sessions"), sessions, { recursive: true });
  await load(dbPath, [sessions], { machine: "desk" });
  await publish(dbPath, before, "full");
  oldSpend = await query(dbPath, SPEND);
  oldFiles = namedFiles(before);
  for (const path of filesBelow(sessions).slice(0, 2)) rmSync(join(sessions, path));
  await load(dbPath, [sessions], { isFull: true, timeZone: "Pacific/Auckland" });
  newSpend = await query(dbPath, SPEND);
  expect(newSpend).not.toEqual(oldSpend);
});

function namedFiles(place: string): readonly string[] {
  return readManifest(place, "desk")
    .files.map((file) => file.path)
    .toSorted();
}

function renewLake(): void {
  rmSync(lake, { recursive: true, force: true });
  cpSync(before, lake, { recursive: true });
}

/** Runs the program and kills it when that many new files have appeared, or a moment later. */
async function publishAndKill(fileCount: number, delayMs: number): Promise<void> {
  const known = new Set(filesBelow(lake));
  const child = spawn(process.execPath, [
    resolve("dist/pipeline/cli.js"),
    "publish",
    ...["--db", dbPath, "--to", lake, "--content", "full", "--quiet"],
  ]);
  const ended = new Promise((done) => child.on("close", done));
  const countNew = (): number => filesBelow(lake).filter((path) => !known.has(path)).length;
  while (child.exitCode === null && countNew() < fileCount) await sleep(1);
  await sleep(delayMs);
  child.kill("SIGKILL");
  await ended;
}

const publishAndDie = (step: string): readonly string[] => [
  resolve("test/support/publish-and-die.mjs"),
  ...[dbPath, lake, step],
];

/** Paths of files that the manifest names and that are not there as it says. */
function brokenFiles(): string[] {
  return readManifest(lake, "desk")
    .files.filter(({ path, sha256 }) => {
      const bytes = readFileSync(join(lake, path));
      return createHash("sha256").update(bytes).digest("hex") !== sha256;
    })
    .map((file) => file.path);
}

/** A reader sees the old state or the new one; the next run brings the new one and clears up. */
async function expectWholeAndHealed(): Promise<void> {
  expect(brokenFiles()).toEqual([]);
  const isDone = readManifest(lake, "desk").load_id === 2;
  if (!isDone) expect(namedFiles(lake)).toEqual(oldFiles);
  expect(await askLake(lake, [SPEND])).toEqual([isDone ? newSpend : oldSpend]);

  await publish(dbPath, lake, "full");
  expect(await askLake(lake, [SPEND])).toEqual([newSpend]);
  expect(filesBelow(lake).filter((path) => !path.startsWith("manifest/"))).toEqual(namedFiles(lake));
  expect(filesBelow(join(lake, "manifest"))).toEqual(["desk.columns.json", "desk.json"]);
}

describe("a run of publish that is killed", () => {
  it.each([
    [1, 0],
    [5, 1],
  ])("when %i files were begun leaves a whole lake, and the next run heals it", async (count, delayMs) => {
    renewLake();
    await publishAndKill(count, delayMs);
    await expectWholeAndHealed();
  });

  it("between any two files does so too", { timeout: 300_000 }, async () => {
    renewLake();
    const stepCount = Number(execFileSync(process.execPath, publishAndDie("none"), { encoding: "utf8" }));
    expect(stepCount).toBeGreaterThan(20);
    const seen = new Set<number>();
    let tried = 0;
    for (let step = 1; step <= stepCount; step += STRIDE) {
      renewLake();
      const { signal } = spawnSync(process.execPath, publishAndDie(String(step)));
      expect([step, signal]).toEqual([step, "SIGKILL"]);
      seen.add(readManifest(lake, "desk").load_id);
      await expectWholeAndHealed();
      tried += 1;
    }
    expect([...seen]).toEqual([1, 2]);
    console.info(`killed at ${tried} of ${stepCount} places between two files`);
  });
});
