import { cpSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import golden from "../golden/v1.json" with { type: "json" };
import { askLake, publish } from "../support/lake.js";
import { load, queryAll } from "../support/proof-warehouse.js";
import { tempFolder } from "../support/temp-folder.js";
import { testDataFolder } from "../support/test-data.js";

const SAMPLE = resolve("examples/sessions");
const PARENT = "--home-ada-shop--/2026-01-06T14-00-00-000Z_0190a000-0000-7000-8000-00000000000c";
const ALL_VIEWS = golden.map(({ view }) => `select * from v1.${view} order by all`);

/** What counts each fact once, whoever holds it, without the names of machines and sessions. */
const TOTALS = [
  "select * from v1.spend_by_model order by all",
  "select * from v1.spend_by_project order by all",
  "select spent_on, source, sum(request_count), sum(cost_usd) from v1.spend_daily group by all order by all",
  "select * from v1.tool_usage order by all",
  "select * from v1.tool_failures order by all",
  "select * from v1.failure_rate_daily order by all",
  "select * from v1.unpriced_usage order by all",
  "select sum(cost_usd), sum(abandoned_cost_usd), sum(failed_cost_usd) from v1.spend_by_session",
  "select session_id, cost_usd, subagent_cost_usd, total_cost_usd from v1.spend_by_session order by all",
];

interface Machine {
  readonly name: string;
  readonly sessions: string;
}

/** Loads each machine into a warehouse of its own, and all into one lake. */
async function lakeOf(folder: string, machines: readonly Machine[]): Promise<string> {
  const lake = join(folder, "lake");
  for (const { name, sessions } of machines) {
    const dbPath = join(folder, `${name}.duckdb`);
    await load(dbPath, [sessions], { machine: name });
    await publish(dbPath, lake);
  }
  return lake;
}

/** The same machines in one warehouse, which sees all of their files. */
async function warehouseOf(folder: string, machines: readonly Machine[]): Promise<string> {
  const dbPath = join(folder, "all.duckdb");
  for (const { name, sessions } of machines) await load(dbPath, [sessions], { machine: name });
  return dbPath;
}

/** A folder with the sample as it lies on two machines, less what `trim` takes from each. */
function twoMachines(trim: (desk: string, laptop: string) => void): {
  folder: string;
  machines: readonly Machine[];
} {
  const folder = tempFolder();
  const [desk, laptop] = [join(folder, "desk"), join(folder, "laptop")];
  for (const sessions of [desk, laptop])
    cpSync(SAMPLE, sessions, { recursive: true, preserveTimestamps: true });
  trim(desk, laptop);
  return {
    folder,
    machines: [
      { name: "desk", sessions: desk },
      { name: "laptop", sessions: laptop },
    ],
  };
}

describe("a lake", () => {
  it("gives the answers of its warehouse to every public view", async () => {
    const folder = tempFolder();
    const dbPath = join(folder, "w.duckdb");
    await load(dbPath, [SAMPLE], { machine: "desk" });
    await publish(dbPath, join(folder, "lake"), "full");
    expect(await askLake(join(folder, "lake"), ALL_VIEWS)).toEqual(await queryAll(dbPath, ALL_VIEWS));
  });

  it("without text gives the answers of a warehouse that never had any", async () => {
    const folder = tempFolder();
    const [whole, numbers] = [join(folder, "whole.duckdb"), join(folder, "numbers.duckdb")];
    await load(whole, [SAMPLE], { machine: "desk" });
    await load(numbers, [SAMPLE], { machine: "desk", content: "none" });
    await publish(whole, join(folder, "lake"));
    expect(await askLake(join(folder, "lake"), ALL_VIEWS)).toEqual(await queryAll(numbers, ALL_VIEWS));
  });

  it("counts each request once where one machine holds a copy of another's home", async () => {
    const { folder, machines } = twoMachines(() => {});
    const lake = await lakeOf(folder, machines);
    const [desk = ""] = machines.map(({ name }) => join(folder, `${name}.duckdb`));
    expect(await askLake(lake, TOTALS)).toEqual(await queryAll(desk, TOTALS));
  });

  it.each([
    ["the copy lacks the sub-agents' files", (_desk: string, laptop: string) => removeChildren(laptop)],
    ["the original lacks them", (desk: string) => removeChildren(desk)],
    [
      "a fork and its original lie on different machines",
      (desk: string, laptop: string) => {
        keepOnly(desk, /0000a\.jsonl$/);
        keepOnly(laptop, /0000b\.jsonl$/);
      },
    ],
  ])("counts money once where %s", async (_case, trim) => {
    const { folder, machines } = twoMachines(trim);
    const lake = await lakeOf(folder, machines);
    const all = await warehouseOf(folder, machines);
    expect(await askLake(lake, TOTALS.slice(0, -1))).toEqual(await queryAll(all, TOTALS.slice(0, -1)));
  });

  it("counts money once, and one family, where a parent and its sub-agents lie on different machines", async () => {
    const { folder, machines } = twoMachines((desk, laptop) => {
      removeChildren(desk);
      keepOnly(laptop, /^$/);
    });
    const lake = await lakeOf(folder, machines);
    const all = await warehouseOf(folder, machines);
    const questions = [
      ...TOTALS,
      "select session_key, root_session_key, generation, own_cost_usd, family_cost_usd, parent_link from v1.session_families order by all",
    ];
    expect(await askLake(lake, questions)).toEqual(await queryAll(all, questions));
  });
});

describe.skipIf(testDataFolder() === null)("a lake of the larger test data", () => {
  it("gives the answers of its warehouse to every public view", async () => {
    const folder = tempFolder();
    const dbPath = join(folder, "w.duckdb");
    await load(dbPath, [join(testDataFolder() ?? "", "corpus/agent")], { machine: "desk" });
    await publish(dbPath, join(folder, "lake"), "full");
    expect(await askLake(join(folder, "lake"), ALL_VIEWS)).toEqual(await queryAll(dbPath, ALL_VIEWS));
  });
});

/** Sub-agents' sessions lie in a folder named after their parent's file. */
function removeChildren(sessions: string): void {
  rmSync(join(sessions, PARENT), { recursive: true });
}

function keepOnly(sessions: string, pattern: RegExp): void {
  const project = join(sessions, "--home-ada-shop--");
  for (const name of readdirSync(project)) {
    if (name.endsWith(".jsonl") && !pattern.test(name)) rmSync(join(project, name));
  }
}
