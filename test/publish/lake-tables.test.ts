import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openLake } from "../../pipeline/open-lake.js";
import type { Manifest } from "../../pipeline/publish/manifest.js";
import { runQuery } from "../../pipeline/query/query.js";
import { askLake, publish, readManifest, withMemory } from "../support/lake.js";
import { load } from "../support/proof-warehouse.js";
import { tempFolder } from "../support/temp-folder.js";

let folder: string;
let lake: string;

beforeEach(async () => {
  folder = tempFolder();
  lake = join(folder, "lake");
  await load(join(folder, "w.duckdb"), [resolve("examples/sessions")], { machine: "desk" });
  await publish(join(folder, "w.duckdb"), lake);
});

/** Makes the sessions of the lake those of another version of the program. */
async function rewriteSessions(query: string, relation: Manifest["relations"][string]): Promise<void> {
  const path = join(lake, "base/sessions/desk-1.parquet");
  await withMemory(async (connection) => {
    await connection.run(`create table sessions as from '${path}'`);
    await connection.run(`copy (${query}) to '${path}' (format parquet)`);
  });
  const manifest = readManifest(lake, "desk");
  const relations = { ...manifest.relations, "base.sessions": relation };
  writeFileSync(join(lake, "manifest/desk.json"), JSON.stringify({ ...manifest, relations }));
}

describe("tables of a lake", () => {
  it("have a column that only a later program's files have", async () => {
    const types = readManifest(lake, "desk").relations["base.sessions"] ?? {};
    await rewriteSessions("select *, 7 as mood_count from sessions", { ...types, mood_count: "integer" });
    const [rows] = await askLake(lake, ["select distinct mood_count from lake.sessions"]);
    expect(rows).toEqual([{ mood_count: 7 }]);
  });

  it("have NULL for a column that an earlier program's files lack", async () => {
    const { subagent_name: _, ...types } = readManifest(lake, "desk").relations["base.sessions"] ?? {};
    await rewriteSessions("select * exclude (subagent_name) from sessions", types);
    const [rows] = await askLake(lake, ["select distinct subagent_name from v1.sessions"]);
    expect(rows).toEqual([{ subagent_name: null }]);
  });

  it("are those that the manifest names, whatever else lies beside them", async () => {
    await withMemory((connection) =>
      connection.run(
        `copy (select 1 as a) to '${lake}/base/usage/month=2026-01/other.parquet' (format parquet)`,
      ),
    );
    const [rows] = await askLake(lake, ["select count(*)::integer as usage from base.usage"]);
    const named = readManifest(lake, "desk").files.filter((file) => file.relation === "base.usage");
    expect(rows).toEqual([{ usage: named.reduce((sum, file) => sum + file.rows, 0) }]);
  });
});

describe("a query over a lake", () => {
  const ask = async (sql: string): Promise<string> => {
    let output = "";
    await runQuery({
      dbPath: "",
      lake: () => openLake(lake),
      sql,
      target: { format: "csv" },
      isUnsafe: false,
      memoryLimitBytes: 512 * 2 ** 20,
      tempDir: folder,
      signal: new AbortController().signal,
      write: async (text) => {
        output += text;
      },
    });
    return output;
  };

  it("reads the files of the manifest and no others", async () => {
    expect(await ask("select count(*) as sessions from v1.sessions")).toBe("sessions\n4\n");
    await expect(ask("select * from read_text('/etc/hostname')")).rejects.toMatchObject({
      code: "STATEMENT_REFUSED",
    });
    await expect(ask(`copy (select 1) to '${lake}/base/sessions/desk-1.parquet'`)).rejects.toMatchObject({
      code: "STATEMENT_REFUSED",
    });
  });

  it("names a file that is gone from the lake", async () => {
    const path = join(lake, "base/loads/desk-1.parquet");
    rmSync(path);
    await expect(ask("select 1")).rejects.toMatchObject({
      code: "FAILED",
      message: `the manifest names a file that is not there: ${path}`,
    });
  });

  it("finds no lake where none was published", async () => {
    rmSync(lake, { recursive: true });
    await expect(ask("select 1")).rejects.toMatchObject({ code: "WAREHOUSE_MISSING" });
  });
});
