import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { migrate, readMigrations } from "../../pipeline/load/migrate.js";
import { createTableSql } from "../../schema/ddl.js";
import { SCHEMA_VERSION, tableList } from "../../schema/index.js";
import { sessions } from "../../schema/sessions.js";
import { longText, name, nullable, small, table } from "../../schema/table.js";
import { countedCost, load, query } from "../support/proof-warehouse.js";
import { runPiquet } from "../support/run-piquet.js";
import { tempFolder } from "../support/temp-folder.js";
import { insertRows, queryRows } from "../support/warehouse-rows.js";
import { trials } from "../torture/support/tally.js";

const SAMPLE = resolve("examples/sessions");

async function openMemory(): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run("set TimeZone = 'UTC'; attach ':memory:' as warehouse; use warehouse");
  return connection;
}

async function openVersion(version: number, ddl: string): Promise<DuckDBConnection> {
  const connection = await openMemory();
  await connection.run(`create schema base; create schema meta; ${ddl};
    create table meta.settings (key varchar not null, value varchar not null);
    insert into meta.settings values ('schema_version', '${version}')`);
  return connection;
}

const COLUMNS = `select table_name, column_name, data_type, is_nullable from duckdb_columns()
  where database_name = 'warehouse' and schema_name = 'base' order by table_name, column_name`;
const VERSION = "select value from meta.settings where key = 'schema_version'";

async function write(dbPath: string, sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(dbPath);
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}

describe("a warehouse of each released version", () => {
  const released = readdirSync("test/golden/versions").map((file) => Number.parseInt(file, 10));

  it("has a dump up to this version", () => {
    expect(released.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: SCHEMA_VERSION }, (_, index) => index + 1),
    );
  });

  it.each(released)("%i gets the tables of this program and keeps its rows", async (version) => {
    const tries = trials("a warehouse of an older schema");
    const ddl = readFileSync(`test/golden/versions/${version}.sql`, "utf8");
    const connection = await openVersion(version, ddl);
    await connection.run(
      `insert into base.rejects (file_id, machine, path, line_number, byte_offset, line_bytes, reason, message, load_id)
       values ('f1', 'desk', '/a.jsonl', 3, 70, 5, 'invalid_json', 'ends too early', 1)`,
    );
    const fresh = await openMemory();
    await migrate(fresh);
    await migrate(connection);
    expect(await queryRows(connection, COLUMNS)).toEqual(await queryRows(fresh, COLUMNS));
    tries.total(
      [{ line_number: 3, message: "ends too early" }],
      await queryRows(connection, "select line_number, message from base.rejects"),
    );
    expect(await queryRows(connection, VERSION)).toEqual([{ value: String(SCHEMA_VERSION) }]);
  });
});

describe("a warehouse that lacks columns", () => {
  it("gets those that may be NULL by themselves, in a load, and keeps every row", async () => {
    const folder = tempFolder();
    const dbPath = join(folder, "w.duckdb");
    cpSync(SAMPLE, join(folder, "sessions"), { recursive: true });
    await load(dbPath, [join(folder, "sessions")]);
    const cost = await countedCost(dbPath);
    const tries = trials("a warehouse of an older schema");
    await write(
      dbPath,
      `drop schema v1 cascade; drop schema core cascade; alter table base.messages drop column text;
       alter table base.sessions drop column header_json; checkpoint`,
    );

    const report = await load(dbPath, [join(folder, "sessions")]);
    expect(report.files).toMatchObject({ loaded: 0, unchanged: 4 });
    tries.total(cost, await countedCost(dbPath));
    expect(
      await query(
        dbPath,
        "select count(*)::integer as n, count(header_json)::integer as filled from base.sessions",
      ),
    ).toEqual([{ n: 4, filled: 0 }]);
    expect(await query(dbPath, "select count(*)::integer as n from v1.sessions")).toEqual([{ n: 4 }]);

    await load(dbPath, [join(folder, "sessions")], { isFull: true });
    const [row] = await query(dbPath, "select count(text)::integer as n from base.messages");
    expect(row?.["n"]).toBeGreaterThan(0);
  });

  it("is refused where a column may not be NULL, and stays as it is", async () => {
    const connection = await openMemory();
    await migrate(connection);
    await connection.run("alter table base.sessions drop column session_id");
    await expect(migrate(connection)).rejects.toThrow(
      "the warehouse has another schema than it says: base.sessions.session_id is missing, expected varchar",
    );
  });

  it("is refused where a column has another type", async () => {
    const connection = await openMemory();
    await migrate(connection);
    await connection.run("alter table base.sessions alter generation type bigint");
    await expect(migrate(connection)).rejects.toThrow("base.sessions.generation is BIGINT, expected integer");
  });
});

describe("migrations", () => {
  const colours = table({
    name: "colours",
    description: "",
    key: ["id"],
    timeColumn: null,
    columns: { id: name(""), hue: small(""), note: nullable(longText("")) },
  });
  const target = {
    version: 3,
    tables: [colours],
    migrations: [
      { version: 2, name: "0002_rename.sql", sql: "alter table base.colours rename shade to hue" },
      { version: 3, name: "0003_degrees.sql", sql: "update base.colours set hue = hue * 10" },
    ],
  };
  const OLD = "create table base.colours (id varchar not null, shade integer not null)";

  it("run in order between the two versions, once, with the rows kept", async () => {
    const connection = await openVersion(1, OLD);
    await connection.run("insert into base.colours values ('red', 3)");
    await migrate(connection, target);
    await migrate(connection, target);
    expect(await queryRows(connection, "from base.colours")).toEqual([{ id: "red", hue: 30, note: null }]);
    expect(await queryRows(connection, VERSION)).toEqual([{ value: "3" }]);
  });

  it("start above the warehouse's own version", async () => {
    const connection = await openVersion(2, createTableSql(colours, "base"));
    await connection.run("insert into base.colours values ('red', 3, null)");
    await migrate(connection, target);
    expect(await queryRows(connection, "select hue from base.colours")).toEqual([{ hue: 30 }]);
  });

  it("are not run on a new warehouse", async () => {
    const connection = await openMemory();
    await migrate(connection, target);
    expect(await queryRows(connection, "from base.colours")).toEqual([]);
  });

  it("leave nothing behind when one fails", async () => {
    const connection = await openVersion(1, OLD);
    const broken = { version: 3, name: "0003_broken.sql", sql: "update base.nothing set a = 1" };
    await connection.run("insert into base.colours values ('red', 3); begin");
    await expect(
      migrate(connection, { ...target, migrations: target.migrations.with(1, broken) }),
    ).rejects.toThrow("nothing");
    await connection.run("rollback");
    expect(await queryRows(connection, "from base.colours")).toEqual([{ id: "red", shade: 3 }]);
    expect(await queryRows(connection, VERSION)).toEqual([{ value: "1" }]);
  });

  it("of the package lead to versions up to this one, each once", () => {
    const versions = readMigrations().map(({ version }) => version);
    expect(versions).toEqual([...new Set(versions)]);
    expect(versions.filter((version) => version < 2 || version > SCHEMA_VERSION)).toEqual([]);
  });
});

describe("a warehouse of a later version", () => {
  it("is refused with exit 4 by every command that opens it but `sql --unsafe`, and stays as it is", async () => {
    const home = tempFolder();
    const dbPath = join(home, "w.duckdb");
    const tries = trials("a warehouse of a newer schema, exit 4");
    await load(dbPath, [SAMPLE]);
    await write(
      dbPath,
      `update meta.settings set value = '${SCHEMA_VERSION + 1}' where key = 'schema_version'`,
    );
    const before = readFileSync(dbPath);
    for (const args of [
      ["ingest", "--db", dbPath, SAMPLE],
      ["ingest", "--db", dbPath, "--dry-run", SAMPLE],
      ["prune", "--db", dbPath, "--before", "2026-01-06"],
      ["sql", "--db", dbPath, "select count(*) as n from v1.sessions"],
      ["check", "--db", dbPath],
      ["publish", "--db", dbPath, "--to", join(home, "lake")],
      ["publish", "--db", dbPath, "--serving", join(home, "serving.duckdb")],
    ]) {
      tries.begin();
      const { exitCode, stdout, stderr } = await runPiquet(args, { home });
      const message = `has schema version ${SCHEMA_VERSION + 1}, this program knows ${SCHEMA_VERSION}`;
      expect([args, exitCode, stdout, stderr]).toEqual([args, 4, "", expect.stringContaining(message)]);
    }
    tries.total(true, readFileSync(dbPath).equals(before));
    const unsafe = await runPiquet(["sql", "--db", dbPath, "--unsafe", "from v1.sessions"], { home });
    expect(unsafe.exitCode).toBe(0);
  });
});

it("an empty table of rows has every column of the schema", async () => {
  const connection = await openMemory();
  await migrate(connection);
  await insertRows(connection, "sessions", [{ session_key: "a" }]);
  const [row] = await queryRows(connection, "from base.sessions");
  expect(Object.keys(row ?? {})).toEqual(Object.keys(sessions.columns));
  expect(tableList().length).toBe(8);
});
