import { cpSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { publish } from "../support/lake.js";
import { load } from "../support/proof-warehouse.js";
import { tempFolder } from "../support/temp-folder.js";
import { openBucket } from "./support/bucket.js";
import { openClickHouse } from "./support/clickhouse.js";
import { compareLake, type Engines } from "./support/readers.js";

const SAMPLE = resolve("examples/sessions");
/** Folder of the sessions that a session of the sample gave to sub-agents. */
const CHILDREN = "--home-ada-shop--/2026-01-06T14-00-00-000Z_0190a000-0000-7000-8000-00000000000c";
const clickhouse = openClickHouse();
let engines: Engines;

beforeAll(async () => {
  engines = { clickhouse, bucket: await openBucket() };
});

describe("ClickHouse over a lake of two machines", () => {
  it("answers as DuckDB does where they hold copies of each other's sessions", async () => {
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
    const { ClickHouse } = await compareLake("two machines", lake, engines);
    expect(ClickHouse).toMatchObject({ differing: 0, views: [] });
    expect(ClickHouse?.cells).toBeGreaterThan(1_000);
  });
});
