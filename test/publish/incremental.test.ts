import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { publish, readManifest } from "../support/lake.js";
import { openWorld, type ProofWorld } from "../support/proof-world.js";
import { filesBelow } from "../support/world-folder.js";
import { childRun, header, type Line, reply, session, user } from "../support/world-sessions.js";
import { PARENT, parent, reported, runFile } from "../support/world-subagents.js";

const DAY = 86_400;
/** Seconds from 5 January 2026, nine o'clock, to the same day of the months after it. */
const [JANUARY, FEBRUARY, MARCH] = [0, 31 * DAY, 59 * DAY] as const;

const parquetFiles = (folder: string): string[] =>
  filesBelow(folder).filter((path) => path.endsWith(".parquet"));

/** Loads, publishes, and gives the names of the files that were not there before. */
async function loadAndPublish(world: ProofWorld): Promise<string[]> {
  const lake = join(world.folder, "lake");
  const before = new Set(parquetFiles(world.folder));
  await world.load({ machine: "desk" });
  await publish(world.dbPath, lake);
  const named = readManifest(lake, "desk").files.map((file) => file.path);
  expect(parquetFiles(lake)).toEqual(named.toSorted());
  return parquetFiles(world.folder)
    .filter((path) => !before.has(path))
    .map((path) => path.replace("lake/", ""));
}

const baseFiles = (paths: readonly string[]): string[] => paths.filter((path) => path.startsWith("base/"));

describe("a run of publish after one of load", () => {
  it("writes the month of an old record whose owner is found, and no other", async () => {
    const world = openWorld();
    const old: readonly Line[] = [
      user("p1", null, FEBRUARY),
      reply("p2", "p1", FEBRUARY + 5, { cost: 0.02 }),
    ];
    world.write({
      "january.jsonl": session("s0000001", JANUARY, 0.01),
      "fork.jsonl": [header("s0000003", MARCH), ...old, reply("f1", "p2", MARCH + 5, { cost: 0.04 })],
    });
    await loadAndPublish(world);
    world.write({ "parent.jsonl": [header("s0000002", FEBRUARY), ...old] });
    expect(await loadAndPublish(world)).toEqual([
      "base/entries/month=2026-02/desk-2.parquet",
      "base/files/desk-2.parquet",
      "base/loads/desk-2.parquet",
      "base/messages/month=2026-02/desk-2.parquet",
      "base/sessions/desk-2.parquet",
      "base/usage/month=2026-02/desk-2.parquet",
      "v1/branches/desk-2.parquet",
      "v1/sessions/desk-2.parquet",
      "v1/spend_by_session/desk-2.parquet",
    ]);
    expect(await world.cost()).toBe("0.07");
  });

  it("writes a month again in which no row is new and one no longer counts", async () => {
    const world = openWorld();
    const report = parent({ runId: "r1", results: [childRun(0.1, reported("r1", 0))] });
    world.write({ [`${PARENT}.jsonl`]: report, "march.jsonl": session("s0000009", MARCH, 0.01) });
    await loadAndPublish(world);
    // The sub-agent worked in the month before its parent told of it.
    world.write({ [runFile("r1", 0)]: session("c1", JANUARY - 6 * DAY, 0.1) });
    expect(baseFiles(await loadAndPublish(world))).toEqual([
      "base/entries/month=2025-12/desk-2.parquet",
      "base/files/desk-2.parquet",
      "base/loads/desk-2.parquet",
      "base/messages/month=2025-12/desk-2.parquet",
      "base/sessions/desk-2.parquet",
      "base/usage/month=2025-12/desk-2.parquet",
      "base/usage/month=2026-01/desk-2.parquet",
    ]);
    expect(await world.cost()).toBe("0.14");
  });

  it("writes what tells of the run alone where no session changed", async () => {
    const world = openWorld();
    world.write({ "a.jsonl": session("s0000001", JANUARY, 0.01) });
    await loadAndPublish(world);
    expect(await loadAndPublish(world)).toEqual(["base/loads/desk-2.parquet"]);
  });
});
