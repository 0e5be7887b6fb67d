import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { publish } from "../support/lake.js";
import { load } from "../support/proof-warehouse.js";
import { tempFolder } from "../support/temp-folder.js";
import { testDataFolder } from "../support/test-data.js";
import { openClickHouse } from "./support/clickhouse.js";
import { differencesBetween, differencesOver, total } from "./support/engines.js";

const SAMPLE = resolve("examples/sessions");
/** Folder of the sessions that a session of the sample gave to sub-agents. */
const CHILDREN = "--home-ada-shop--/2026-01-06T14-00-00-000Z_0190a000-0000-7000-8000-00000000000c";
const clickhouse = openClickHouse();

afterAll(() => {
  const cells = total.cells.toLocaleString("en");
  process.stderr.write(`altogether: ${cells} cells compared, ${total.differing} views differ\n`);
});

async function differencesOf(name: string, roots: readonly string[]): Promise<string[]> {
  const dbPath = join(tempFolder(), "w.duckdb");
  await load(dbPath, roots, { machine: "desk" });
  return await differencesOver(clickhouse, name, dbPath);
}

describe("engines over a lake", () => {
  it("answer every public view as the warehouse does", async () => {
    expect(await differencesOf("sample", [SAMPLE])).toEqual([]);
    expect(total.cells).toBeGreaterThan(1000);
  });

  it("answer alike where machines hold copies of each other's sessions", async () => {
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
    expect(await differencesBetween(clickhouse, "two machines", lake)).toEqual([]);
  });
});

const data = testDataFolder() ?? "";
const cases = data === "" ? [] : readdirSync(join(data, "cases")).toSorted();

describe.skipIf(data === "")("engines over lakes of the larger test data", () => {
  it("answer every public view of the corpus as the warehouse does", async () => {
    const roots = ["corpus/agent", "corpus/team-sessions"].map((path) => join(data, path));
    expect(await differencesOf("corpus", roots)).toEqual([]);
  });

  it.each(cases.filter((name) => existsSync(join(data, "cases", name, "sessions"))))(
    "answer every public view of case %s as the warehouse does",
    async (name) => {
      expect(await differencesOf(name, [join(data, "cases", name, "sessions")])).toEqual([]);
    },
  );

  it.each(cases.filter((name) => existsSync(join(data, "cases", name, "run1"))))(
    "answer every public view of case %s after all its runs as the warehouse does",
    async (name) => {
      const folder = tempFolder();
      const [sessions, dbPath] = [join(folder, "sessions"), join(folder, "w.duckdb")];
      const runs = readdirSync(join(data, "cases", name)).filter((run) => run.startsWith("run"));
      for (const run of runs.toSorted()) {
        rmSync(sessions, { recursive: true, force: true });
        cpSync(join(data, "cases", name, run, "sessions"), sessions, { recursive: true });
        await load(dbPath, [sessions], { machine: "desk" });
      }
      expect(await differencesOver(clickhouse, name, dbPath)).toEqual([]);
    },
  );

  it("answer every public view of 2,000 synthetic sessions as the warehouse does", async () => {
    const sessions = tempFolder();
    const size = ["--sessions", "2000", "--bytes", "60MiB", "--seed", "1"];
    execFileSync(process.execPath, [join(data, "tools/synth.mjs"), sessions, ...size], { stdio: "ignore" });
    expect(await differencesOf("2,000 synthetic sessions", [sessions])).toEqual([]);
  });
});
