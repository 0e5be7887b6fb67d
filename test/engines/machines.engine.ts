import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { askLake, publish } from "../support/lake.js";
import { lakeOfHomes, MIGRATED_APART } from "../support/machine-lakes.js";
import { load } from "../support/proof-warehouse.js";
import { runPiquet } from "../support/run-piquet.js";
import { tempFolder } from "../support/temp-folder.js";
import { testDataFolder } from "../support/test-data.js";
import { filesBelow } from "../support/world-folder.js";
import { openClickHouse } from "./support/clickhouse.js";
import { compareLake, useFolder } from "./support/readers.js";

const SAMPLE = resolve("examples/sessions");
/** Folder of the sessions that a session of the sample gave to sub-agents. */
const CHILDREN = "--home-ada-shop--/2026-01-06T14-00-00-000Z_0190a000-0000-7000-8000-00000000000c";
const clickhouse = openClickHouse();

describe("a lake of several machines", () => {
  it("gives the same answers in both engines where they hold copies of each other's sessions", async () => {
    const folder = tempFolder();
    const lake = join(folder, "lake");
    for (const name of ["desk", "laptop"]) {
      const sessions = join(folder, name);
      cpSync(SAMPLE, sessions, { recursive: true });
      // One lacks the sub-agents' files, so that those of the other are found for it.
      if (name === "desk") rmSync(join(sessions, CHILDREN), { recursive: true });
      await load(join(folder, `${name}.duckdb`), [sessions], { machine: name });
      await publish(join(folder, `${name}.duckdb`), lake, "full");
    }
    const { ClickHouse } = await compareLake("two machines", lake, clickhouse);
    expect(ClickHouse).toMatchObject({ differing: 0, views: [] });
    expect(ClickHouse?.cells).toBeGreaterThan(1_000);
  });

  it.each(MIGRATED_APART)("counts money once in ClickHouse: %s", async (_name, homes, dollars) => {
    await useFolder(clickhouse, await lakeOfHomes(tempFolder(), homes));
    const sums = ["spend_daily", "spend_by_session"].map((view) =>
      Number(clickhouse.value(`select sum(cost_usd) from v1.${view}`)),
    );
    expect(sums).toEqual([dollars, dollars]);
  });
});

const SUMS = ["input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "cost_usd"];

/** Requests, tokens and dollars of the usage that counts, as the writer of the sessions names them. */
function sumsSql(where: string): string {
  const sums = SUMS.map((name) => `coalesce(sum(${name}), 0) as ${name}`).join(", ");
  return `select count(*) as row_count, ${sums} from base.usage where is_counted and ${where}`;
}

const data = testDataFolder();

describe.skipIf(data === null)("a lake of a home and a copy of it elsewhere", () => {
  it("counts in both engines what the writer of the sessions counted once", async () => {
    const folder = tempFolder();
    const size = ["--sessions", "300", "--bytes", "10MiB", "--seed", "7"];
    execFileSync(process.execPath, [join(data ?? "", "tools/synth.mjs"), folder, ...size], {
      stdio: "ignore",
    });
    const truth = JSON.parse(readFileSync(join(folder, "truth.json"), "utf8"));
    const lake = await twoHomes(folder);

    const questions = ["source <> 'subagent'", "source = 'subagent'"].map(sumsSql);
    const inDuckDB = (await askLake(lake, questions)).map(([row]) => Object.values(row ?? {}).map(Number));
    await useFolder(clickhouse, lake);
    const inClickHouse = questions.map((sql) => clickhouse.value(sql).split("\t").map(Number));
    const expected = [truth.oncePerRequest, truth.subagentDetailsOnce].map(
      ({ paid, input, output, cacheRead, cacheWrite, cost }) =>
        [paid, input, output, cacheRead, cacheWrite, cost].map(Number),
    );
    process.stderr.write(`two homes: ${JSON.stringify({ expected, inDuckDB, inClickHouse })}\n`);
    expect(inDuckDB).toEqual(expected);
    expect(inClickHouse).toEqual(expected);
    expect(truth.everyRecord.paid).toBeGreaterThan(truth.oncePerRequest.paid);
  });
});

/**
 * The desk forgot the text of old days and holds all sessions but some that were forked on the laptop; the
 * laptop never kept text, has its days in another zone, and lacks what it forked those from.
 */
async function twoHomes(folder: string): Promise<string> {
  const lake = join(folder, "lake");
  const [desk, laptop] = [join(folder, "desk"), join(folder, "laptop")];
  for (const home of [desk, laptop]) cpSync(join(folder, "sessions"), home, { recursive: true });
  const forks = filesBelow(desk).flatMap((path) => {
    const parent = parentOf(join(desk, path));
    return parent === null ? [] : [{ path, parent }];
  });
  const moved = forks.filter((_, index) => index % 2 === 0);
  expect(moved.length).toBeGreaterThan(5);
  const isMoved = new Set(moved.map(({ path }) => path));
  for (const { path, parent } of moved) {
    rmSync(join(desk, path));
    if (!isMoved.has(parent)) rmSync(join(laptop, parent), { force: true });
  }
  const [deskDb, laptopDb] = [join(folder, "desk.duckdb"), join(folder, "laptop.duckdb")];
  await load(deskDb, [desk], { machine: "desk" });
  const pruned = await runPiquet(["prune", "--db", deskDb, "--before", "2026-06-01"], { home: folder });
  expect(pruned.exitCode).toBe(0);
  await load(laptopDb, [laptop], { machine: "laptop", content: "none", timeZone: "Pacific/Auckland" });
  await publish(deskDb, lake, "full");
  await publish(laptopDb, lake, "none");
  return lake;
}

/** Path of the parent's file below the sessions, as the header names it; null for a session that is no fork. */
function parentOf(path: string): string | null {
  const [first = "{}"] = readFileSync(path, "utf8").split("\n", 1);
  const { parentSession } = JSON.parse(first);
  return typeof parentSession === "string" ? (parentSession.split("/sessions/")[1] ?? null) : null;
}
