import { createHash } from "node:crypto";
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { publish, readManifest, withMemory } from "../support/lake.js";
import { proofFolder } from "../support/proof-folder.js";
import { load } from "../support/proof-warehouse.js";
import { sessionText } from "../support/session-text.js";
import { tempFolder } from "../support/temp-folder.js";
import { filesBelow } from "../support/world-folder.js";

const JANUARY = { at: "2026-01-31T23:59:00.000Z", prompt: "Count the apples", costUsd: 0.25 };
const FEBRUARY = { at: "2026-02-01T00:00:00.000Z", prompt: "Count the pears", costUsd: 0.5 };
const OTHER = { at: "2026-01-10T10:00:00.000Z", prompt: "Paint the door", costUsd: 1 };

const template = proofFolder();

beforeAll(() => fillHome(template));

/** Two sessions, loaded once: `s` runs over the end of a month, `t` lies in its middle. */
async function fillHome(folder: string): Promise<void> {
  mkdirSync(join(folder, "sessions"));
  writeFileSync(join(folder, "sessions/s.jsonl"), sessionText("aaaa", [JANUARY, FEBRUARY]));
  writeFileSync(join(folder, "sessions/t.jsonl"), sessionText("bbbb", [OTHER]));
  await load(join(folder, "w.duckdb"), [join(folder, "sessions")], { machine: "desk" });
}

interface Home {
  readonly folder: string;
  readonly dbPath: string;
  readonly lake: string;
}

/** A home whose warehouse is only read: a copy, which is made sooner than a load. */
function smallHome(): Home {
  const folder = tempFolder();
  cpSync(join(template, "w.duckdb"), join(folder, "w.duckdb"));
  return homeIn(folder);
}

/** A home that can be loaded again. */
async function livingHome(): Promise<Home> {
  const folder = tempFolder();
  await fillHome(folder);
  return homeIn(folder);
}

function homeIn(folder: string): Home {
  return { folder, dbPath: join(folder, "w.duckdb"), lake: join(folder, "lake") };
}

/** Makes the warehouse that of another machine. */
function renameMachine(dbPath: string, machine: string): Promise<void> {
  return changeSettings(dbPath, { machine, warehouse_id: `id of ${machine}` });
}

async function changeSettings(dbPath: string, values: Readonly<Record<string, string>>): Promise<void> {
  await withMemory(async (connection) => {
    await connection.run(`attach '${dbPath}' as w`);
    for (const [key, value] of Object.entries(values)) {
      await connection.run(`update w.meta.settings set value = $1 where key = $2`, [value, key]);
    }
    await connection.run("detach w");
  });
}

const reload = (folder: string): Promise<unknown> =>
  load(join(folder, "w.duckdb"), [join(folder, "sessions")]);

const parquetFiles = (lake: string): string[] => filesBelow(lake).filter((path) => path.endsWith(".parquet"));

/** What a file system tells of every file: a file that was written again differs. */
function stateOf(lake: string): string[] {
  return filesBelow(lake).map((path) => {
    const { ino, size, mtimeMs } = statSync(join(lake, path));
    return `${path} ${ino} ${size} ${mtimeMs}`;
  });
}

describe("publishLake", () => {
  it("lays tables out by UTC month of entry time, and those without a time in one file", async () => {
    const { dbPath, lake } = smallHome();
    await publish(dbPath, lake);
    expect(parquetFiles(lake).filter((path) => path.startsWith("base/"))).toEqual([
      "base/entries/month=2026-01/desk-1.parquet",
      "base/entries/month=2026-02/desk-1.parquet",
      "base/files/desk-1.parquet",
      "base/loads/desk-1.parquet",
      "base/messages/month=2026-01/desk-1.parquet",
      "base/messages/month=2026-02/desk-1.parquet",
      "base/rejects/desk-1.parquet",
      "base/sessions/desk-1.parquet",
      "base/tool_calls/month=unknown/desk-1.parquet",
      "base/usage/month=2026-01/desk-1.parquet",
      "base/usage/month=2026-02/desk-1.parquet",
    ]);
    expect(parquetFiles(lake)).toContain("v1/spend_daily/desk-1.parquet");
  });

  it("names every file in the manifest, with its rows, bytes and hash", async () => {
    const { dbPath, lake } = smallHome();
    await publish(dbPath, lake);
    const manifest = readManifest(lake, "desk");
    expect(manifest).toMatchObject({
      machine: "desk",
      load_id: 1,
      content: "none",
      schema_version: 1,
      contract_version: "v1",
      time_zone: "UTC",
    });
    expect(manifest.files.map((file) => file.path).toSorted()).toEqual(parquetFiles(lake));
    for (const file of manifest.files) {
      const bytes = readFileSync(join(lake, file.path));
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      expect([file.bytes, file.sha256]).toEqual([bytes.length, sha256]);
    }
    const rows = Object.fromEntries(manifest.files.map((file) => [file.path.split("/desk")[0], file.rows]));
    expect(rows).toMatchObject({
      "base/entries/month=2026-01": 4,
      "base/entries/month=2026-02": 2,
      "base/usage/month=2026-02": 1,
      "base/tool_calls/month=unknown": 0,
      "base/rejects": 0,
      "base/sessions": 2,
    });
  });

  it("writes nothing when nothing changed", async () => {
    const { dbPath, lake } = smallHome();
    await publish(dbPath, lake);
    const before = stateOf(lake);
    const report = await publish(dbPath, lake);
    expect(stateOf(lake)).toEqual(before);
    expect(report.files).toMatchObject({ written: 0, removed: 0 });
  });

  it("writes only the months with a row that differs, and removes what they replace", async () => {
    const { folder, dbPath, lake } = await livingHome();
    await publish(dbPath, lake);
    writeFileSync(
      join(folder, "sessions/u.jsonl"),
      sessionText("cccc", [{ at: "2026-02-03T08:00:00.000Z", prompt: "Sweep", costUsd: 2 }]),
    );
    await reload(folder);
    await publish(dbPath, lake);
    const ofEntries = parquetFiles(lake).filter((path) => /base\/(entries|usage)/.test(path));
    expect(ofEntries).toEqual([
      "base/entries/month=2026-01/desk-1.parquet",
      "base/entries/month=2026-02/desk-2.parquet",
      "base/usage/month=2026-01/desk-1.parquet",
      "base/usage/month=2026-02/desk-2.parquet",
    ]);
  });

  it("writes a month again when only a flag of its rows differs", async () => {
    const { folder, dbPath, lake } = await livingHome();
    await publish(dbPath, lake);
    rmSync(join(folder, "sessions/t.jsonl"));
    await reload(folder);
    await publish(dbPath, lake);
    const entries = parquetFiles(lake).filter((path) => path.startsWith("base/entries/"));
    expect(entries).toEqual([
      "base/entries/month=2026-01/desk-2.parquet",
      "base/entries/month=2026-02/desk-1.parquet",
    ]);
  });

  it("gives another content a new name, for a file never changes", async () => {
    const { dbPath, lake } = smallHome();
    await publish(dbPath, lake);
    await publish(dbPath, lake, "full");
    const messages = parquetFiles(lake).filter((path) => path.startsWith("base/messages/"));
    expect(messages).toEqual([
      "base/messages/month=2026-01/desk-1.2.parquet",
      "base/messages/month=2026-02/desk-1.2.parquet",
    ]);
    expect(readManifest(lake, "desk").content).toBe("full");
  });

  it("writes a file again that is gone or damaged", async () => {
    const { dbPath, lake } = smallHome();
    await publish(dbPath, lake);
    rmSync(join(lake, "base/sessions/desk-1.parquet"));
    appendFileSync(join(lake, "base/files/desk-1.parquet"), "x");
    const report = await publish(dbPath, lake);
    expect(report.files.written).toBe(2);
    expect(parquetFiles(lake)).toContain("base/sessions/desk-1.parquet");
    expect(parquetFiles(lake)).toContain("base/files/desk-1.2.parquet");
    expect(parquetFiles(lake)).not.toContain("base/files/desk-1.parquet");
  });

  it("sorts the rows of a file by day, project and session", async () => {
    const { dbPath, lake } = smallHome();
    await publish(dbPath, lake);
    const rows = await withMemory(async (connection) =>
      (
        await connection.runAndReadAll(
          `select entry_id from read_parquet('${lake}/base/entries/month=2026-01/desk-1.parquet')`,
        )
      ).getRowsJson(),
    );
    expect(rows.flat()).toEqual(["bbbb0001", "bbbb0002", "aaaa0001", "aaaa0002"]);
  });

  it("tells versions and columns in each file, and all columns beside the manifest", async () => {
    const { dbPath, lake } = smallHome();
    await publish(dbPath, lake);
    const pairs = await withMemory(async (connection) =>
      (
        await connection.runAndReadAll(
          `select decode(key), decode(value) from parquet_kv_metadata('${lake}/v1/spend_daily/desk-1.parquet')`,
        )
      ).getRowsJson(),
    );
    const metadata = new Map(pairs.map(([key, value]) => [String(key), String(value)]));
    expect(metadata.get("piquet_relation")).toBe("v1.spend_daily");
    expect(metadata.get("piquet_schema_version")).toBe("1");
    expect(metadata.get("piquet_contract_version")).toBe("v1");
    expect(JSON.parse(metadata.get("piquet_columns") ?? "{}")).toMatchObject({
      cost_usd: "Cost in US dollars, as Pi recorded it.",
    });
    const columns = JSON.parse(readFileSync(join(lake, "manifest/desk.columns.json"), "utf8"));
    expect(columns["v1.spend_daily"].columns).toContainEqual({
      name: "cost_usd",
      type: "decimal(18,9)",
      description: "Cost in US dollars, as Pi recorded it.",
    });
  });

  it("names its relation and describes its columns in every file", async () => {
    const { dbPath, lake } = smallHome();
    await publish(dbPath, lake);
    const { files } = readManifest(lake, "desk");
    const columns = JSON.parse(readFileSync(join(lake, "manifest/desk.columns.json"), "utf8"));
    const found = await withMemory(async (connection) => {
      const answers: unknown[] = [];
      for (const { path } of files) {
        const sql = `select decode(key), decode(value) from parquet_kv_metadata('${join(lake, path)}')`;
        const pairs = (await connection.runAndReadAll(sql)).getRowsJson();
        const metadata = new Map(pairs.map(([key, value]) => [String(key), String(value)]));
        const described: object = JSON.parse(metadata.get("piquet_columns") ?? "{}");
        answers.push([path, metadata.get("piquet_relation"), Object.keys(described)]);
      }
      return answers;
    });
    expect(found).toEqual(
      files.map(({ path, relation }) => [
        path,
        relation,
        columns[relation].columns.map((column: { readonly name: string }) => column.name),
      ]),
    );
  });

  it("refuses a second warehouse under a machine's name, and leaves the lake as it is", async () => {
    const [one, other] = [smallHome(), smallHome()];
    await changeSettings(other.dbPath, { warehouse_id: "another" });
    await publish(one.dbPath, one.lake);
    const before = stateOf(one.lake);
    await expect(publish(other.dbPath, one.lake)).rejects.toMatchObject({
      code: "USAGE",
      message: `${one.lake} has files of another warehouse under the name desk; load with another --machine, or remove ${one.lake}/manifest/desk.json to replace them`,
    });
    expect(stateOf(one.lake)).toEqual(before);
  });

  it("keeps the files of machines apart, whatever their names", async () => {
    const { dbPath, lake } = smallHome();
    const names = ["desk", "desk-1", "desk.2", "Ada's [new] laptop", "机器", "x".repeat(128), "desk.columns"];
    const states: string[][] = [];
    for (const name of names) {
      await renameMachine(dbPath, name);
      await publish(dbPath, lake);
      states.push(stateOf(lake));
    }
    const [ofDesk = [], ofAll = []] = [states[0], states.at(-1)];
    expect(ofAll.length).toBe(names.length * ofDesk.length);
    expect(ofAll).toEqual(expect.arrayContaining(ofDesk));
    await renameMachine(dbPath, "desk");
    const report = await publish(dbPath, lake);
    expect([stateOf(lake), report.files.removed]).toEqual([ofAll, 0]);
  });

  it("works in a folder whose name is full of patterns", async () => {
    const { folder, dbPath } = smallHome();
    const lake = join(folder, "a [b] *c 'd' {e} %f");
    await publish(dbPath, lake);
    expect((await publish(dbPath, lake)).files.written).toBe(0);
  });
});
