import { spawn } from "node:child_process";
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

let oldSpend: unknown;
let newSpend: unknown;

/** A lake that one run has filled, and a warehouse in which every month has changed since. */
beforeAll(async () => {
  const sessions = join(folder, "sessions");
  cpSync(resolve("examples/sessions"), sessions, { recursive: true });
  await load(dbPath, [sessions], { machine: "desk" });
  await publish(dbPath, before, "full");
  oldSpend = await query(dbPath, SPEND);
  for (const path of filesBelow(sessions).slice(0, 2)) rmSync(join(sessions, path));
  await load(dbPath, [sessions], { isFull: true, timeZone: "Pacific/Auckland" });
  newSpend = await query(dbPath, SPEND);
  expect(newSpend).not.toEqual(oldSpend);
});

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

/** Paths of files that the manifest names and that are not there as it says. */
function brokenFiles(): string[] {
  return readManifest(lake, "desk")
    .files.filter(({ path, sha256 }) => {
      const bytes = readFileSync(join(lake, path));
      return createHash("sha256").update(bytes).digest("hex") !== sha256;
    })
    .map((file) => file.path);
}

describe("a run of publish that is killed", () => {
  it.each([
    [1, 0],
    [3, 0],
    [15, 1],
    [22, 0],
    [28, 5],
  ])("when %i files were begun leaves a whole lake, and the next run heals it", async (count, delayMs) => {
    rmSync(lake, { recursive: true, force: true });
    cpSync(before, lake, { recursive: true });
    await publishAndKill(count, delayMs);

    expect(brokenFiles()).toEqual([]);
    const isDone = readManifest(lake, "desk").load_id === 2;
    expect(await askLake(lake, [SPEND])).toEqual([isDone ? newSpend : oldSpend]);

    await publish(dbPath, lake, "full");
    expect(await askLake(lake, [SPEND])).toEqual([newSpend]);
    const named = readManifest(lake, "desk").files.map((file) => file.path);
    expect(filesBelow(lake).filter((path) => !path.startsWith("manifest/"))).toEqual(named.toSorted());
  });
});
