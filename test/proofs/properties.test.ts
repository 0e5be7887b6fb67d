import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { proofFolder } from "../support/proof-folder.js";
import { copyEmptyWarehouse, failedChecks, load, queryAll, snapshot } from "../support/proof-warehouse.js";
import { difference } from "../support/proof-world.js";
import { type Disk, linesOf, Maker, Seen } from "../support/property-model.js";
import { GROWING_STEPS, SHRINKING_STEPS, type Step } from "../support/property-steps.js";

/** A world takes some two seconds; more of them where somebody looks for trouble. */
const WORLD_COUNT = Number(process.env["PIQUET_TEST_WORLDS"] ?? 6);
const SEED = Number(process.env["PIQUET_TEST_SEED"] ?? 20260105);

const shared = proofFolder();

function steps(kinds: readonly string[], minLength: number, maxLength: number): fc.Arbitrary<Step[]> {
  const number = fc.nat({ max: 9999 });
  const step = fc.record({ kind: fc.constantFrom(...kinds), a: number, b: number, c: number });
  return fc.array(step, { minLength, maxLength });
}

/** A session to begin with, then parts, each followed by a run. */
function parts(kinds: readonly string[]): fc.Arbitrary<Step[][]> {
  return fc
    .tuple(
      steps(["newSession", "newVersion1"], 2, 4),
      fc.array(steps(kinds, 4, 14), { minLength: 2, maxLength: 4 }),
    )
    .map(([first, [second = [], ...rest]]) => [[...first, ...second], ...rest]);
}

function apply(disk: Disk, make: Maker, taken: readonly Step[]): void {
  const kinds = { ...GROWING_STEPS, ...SHRINKING_STEPS };
  for (const step of taken) kinds[step.kind]?.({ disk, make }, step);
}

function write(folder: string, disk: Disk, written: Map<string, string>): void {
  for (const path of [...written.keys()]) {
    if (disk.has(path)) continue;
    rmSync(join(folder, path));
    written.delete(path);
  }
  for (const [path, doc] of disk) {
    const text = linesOf(doc);
    if (written.get(path) === text) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    written.set(path, text);
  }
}

const COUNTS = [
  "select coalesce(sum(cost_usd) * 100, 0)::bigint as n from base.usage where is_counted",
  "select count(*) as n from base.entries where not is_copy and entry_type <> 'label'",
  "select count(distinct record_key) as n from base.entries where entry_type <> 'label'",
  `select count(*) as n from base.files where is_present
    and line_count <> record_count + header_count + reject_count + blank_line_count`,
  `select count(*) as n from base.sessions where is_present and record_count <> (
    select count(*) from base.entries where entries.session_key = sessions.session_key and entries.is_present)`,
  "select coalesce(sum(cost_usd) * 100, 0)::bigint as n from v1.spend_daily",
  "select coalesce(sum(cost_usd) * 100, 0)::bigint as n from v1.spend_by_model",
  "select coalesce(sum(cost_usd) * 100, 0)::bigint as n from v1.spend_by_project",
];

async function expectSeen(dbPath: string, seen: Seen): Promise<void> {
  const answers = await queryAll(dbPath, COUNTS);
  const { cents, recordCount } = seen;
  expect(answers.map((rows) => Number(rows[0]?.["n"]))).toEqual([
    cents,
    recordCount,
    recordCount,
    0,
    0,
    cents,
    cents,
    cents,
  ]);
}

describe("worlds made at random", () => {
  const check = (property: fc.IAsyncProperty<[Step[][]]>): Promise<void> =>
    fc.assert(property, {
      seed: SEED,
      numRuns: WORLD_COUNT,
      endOnFailure: process.env["PIQUET_TEST_SHRINK"] === undefined,
    });

  it("count each paid request that a run ever saw once, whatever became of its file", {
    timeout: 600_000,
  }, async () => {
    await check(
      fc.asyncProperty(
        parts([...Object.keys(GROWING_STEPS), ...Object.keys(SHRINKING_STEPS)]),
        async (taken) => {
          const world = await openRandomWorld();
          for (const part of taken) {
            apply(world.disk, world.make, part);
            await world.run();
            await expectSeen(world.dbPath, world.seen);
          }
          expect(await failedChecks(world.dbPath)).toEqual([]);
        },
      ),
    );
  });

  it("give the same tables however their files came", { timeout: 600_000 }, async () => {
    await check(
      fc.asyncProperty(parts(Object.keys(GROWING_STEPS)), async (taken) => {
        const world = await openRandomWorld();
        for (const part of taken) {
          apply(world.disk, world.make, part);
          await world.run();
        }
        const asTheyCame = await snapshot(world.dbPath);
        for (const groups of [1, 3]) {
          const paths = [...world.disk.keys()].toSorted().toReversed();
          expect(difference(asTheyCame, await snapshot(await world.again(paths, groups)))).toBe(
            "the same tables",
          );
        }
      }),
    );
  });
});

let worldCount = 0;

async function openRandomWorld() {
  worldCount += 1;
  const folder = join(shared, `world-${worldCount}`);
  const sessions = join(folder, "sessions");
  const dbPath = join(folder, "w.duckdb");
  const disk: Disk = new Map();
  const seen = new Seen();
  let written = new Map<string, string>();
  mkdirSync(sessions, { recursive: true });
  await copyEmptyWarehouse(dbPath, shared);
  return {
    disk,
    seen,
    make: new Maker(),
    dbPath,
    run: async (): Promise<void> => {
      write(sessions, disk, written);
      seen.look(disk);
      const report = await load(dbPath, [sessions]);
      expect(report).toMatchObject({ status: "succeeded", files: { failed: 0 } });
    },
    /** The same files in so many groups, a run after each, into another warehouse. */
    again: async (paths: readonly string[], groups: number): Promise<string> => {
      const otherPath = join(folder, "other.duckdb");
      await copyEmptyWarehouse(otherPath, shared);
      rmSync(sessions, { recursive: true });
      written = new Map();
      const size = Math.ceil(paths.length / groups);
      for (let end = size; end < paths.length + size; end += size) {
        const part = new Map([...disk].filter(([path]) => paths.slice(0, end).includes(path)));
        write(sessions, part, written);
        await load(otherPath, [sessions]);
      }
      return otherPath;
    },
  };
}
