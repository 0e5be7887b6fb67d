import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { isWasteful } from "../../pipeline/load/compact.js";
import { load, query, snapshot, valueOf } from "../support/proof-warehouse.js";
import { tempFolder } from "../support/temp-folder.js";

const SAMPLE = resolve("examples/sessions");
const COMMENTS = `select schema_name, view_name, comment from duckdb_views() where not internal
  union all select schema_name || '.' || table_name, column_name, comment from duckdb_columns()
  where not internal order by all`;
const ZSTD = `select count(*)::integer from pragma_storage_info('base.messages')
  where column_name = 'text' and compression = 'ZSTD'`;
const PADDING = `insert into base.rejects (file_id, machine, path, line_number, byte_offset, line_bytes, reason, message, text_start, load_id)
  select 'f', 'desk', '/a', i, 0, 0, 'invalid_json', 'bad', sha256(i::varchar) || sha256((-i)::varchar), 1
  from range(80000) as t(i)`;

async function loaded(): Promise<string> {
  const dbPath = join(tempFolder(), "w.duckdb");
  await load(dbPath, [SAMPLE]);
  return dbPath;
}

async function write(dbPath: string, sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(dbPath);
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}

const inodeOf = (dbPath: string): number => statSync(dbPath).ino;
const settingOf = (dbPath: string, key: string): Promise<unknown> =>
  valueOf(dbPath, `select value from meta.settings where key = '${key}'`);

describe("isWasteful", () => {
  const megabytes = (count: number): number => count * 2 ** 20;
  const settings = new Map([
    ["compact_bytes", String(megabytes(100))],
    ["compact_rows", "1000"],
  ]);

  it.each([
    ["as it was", 100, 1_000, false],
    ["larger by a tenth", 110, 1_000, false],
    ["larger by a fifth", 120, 1_000, true],
    ["larger, as its rows are more", 130, 1_300, false],
    ["with three times the rows, so that what a row needs is unknown", 150, 3_000, true],
    ["with fewer rows", 100, 800, true],
  ])("a file %s", (_what, size, rows, expected) => {
    expect(isWasteful(settings, megabytes(size), rows)).toBe(expected);
  });

  it("never says so of a file where little could be won, or of one that is not known", () => {
    const small = new Map([
      ["compact_bytes", String(megabytes(3))],
      ["compact_rows", "1000"],
    ]);
    expect(isWasteful(small, megabytes(6), 1_000)).toBe(false);
    expect(isWasteful(small, megabytes(12), 9_000)).toBe(false);
    expect(isWasteful(new Map(), megabytes(900), 1_000)).toBe(false);
    expect(isWasteful(new Map([["compact_due", "true"]]), 0, 0)).toBe(true);
  });
});

describe("the end of a load", () => {
  it("leaves a file alone that is no larger than its rows need", async () => {
    const dbPath = await loaded();
    const before = inodeOf(dbPath);
    await load(dbPath, [SAMPLE], { isFull: true });
    expect(inodeOf(dbPath)).toBe(before);
    expect(Number(await settingOf(dbPath, "compact_bytes"))).toBeGreaterThan(0);
    expect(await settingOf(dbPath, "compact_rows")).toBe("96");
  });

  it("writes the file anew where that was requested: same rows, views, comments, mode; nothing beside it", async () => {
    const dbPath = await loaded();
    await load(dbPath, [SAMPLE]);
    const [rows, comments] = [await snapshot(dbPath), await query(dbPath, COMMENTS)];
    await write(dbPath, "insert into meta.settings values ('compact_due', 'true')");
    chmodSync(dbPath, 0o640);
    writeFileSync(`${dbPath}.compact`, "left by a run that was killed");
    const before = inodeOf(dbPath);

    await load(dbPath, [SAMPLE]);
    expect(inodeOf(dbPath)).not.toBe(before);
    expect(await snapshot(dbPath)).toEqual(rows);
    expect(await query(dbPath, COMMENTS)).toEqual(comments);
    expect(await settingOf(dbPath, "compact_due")).toBeUndefined();
    expect(statSync(dbPath).mode & 0o777).toBe(0o640);
    expect(readdirSync(dirname(dbPath))).toEqual(["w.duckdb"]);

    const after = inodeOf(dbPath);
    await load(dbPath, [SAMPLE], { isFull: true });
    expect(inodeOf(dbPath)).toBe(after);
    expect(await snapshot(dbPath)).toEqual(rows);
    expect(await valueOf(dbPath, "select count(*)::integer from base.loads")).toBe(4);
  });

  it("writes it anew once it has grown beyond what its rows need, with long text still compressed", async () => {
    const dbPath = await loaded();
    await load(dbPath, [SAMPLE]);
    await write(dbPath, `${PADDING}; update meta.settings set value = '1000' where key = 'compact_bytes'`);
    const before = inodeOf(dbPath);
    await load(dbPath, [SAMPLE]);
    expect(inodeOf(dbPath)).not.toBe(before);
    expect(Number(await settingOf(dbPath, "compact_bytes"))).toBeGreaterThan(4 * 2 ** 20);
    expect(await valueOf(dbPath, ZSTD)).toBeGreaterThan(0);
  });

  it("keeps the old file where a copy cannot be written", async () => {
    const dbPath = await loaded();
    await write(
      dbPath,
      `insert into meta.settings values ('compact_due', 'true');
       create table meta.odd (a integer, b integer generated always as (a + 1)); insert into meta.odd values (1)`,
    );
    const before = inodeOf(dbPath);
    const report = await load(dbPath, [SAMPLE]);
    expect([report.status, inodeOf(dbPath)]).toEqual(["succeeded", before]);
    expect(await settingOf(dbPath, "compact_due")).toBe("true");
    expect(existsSync(`${dbPath}.compact`)).toBe(false);
  });
});
