import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { type FormatName, runQuery } from "../../pipeline/query/query.js";
import { smallWarehouse } from "../support/small-warehouse.js";
import { tempFolder } from "../support/temp-folder.js";

interface Options {
  readonly format?: FormatName;
  readonly parquetPath?: string;
  readonly isUnsafe?: boolean;
  readonly signal?: AbortSignal;
}

async function query(dbPath: string, sql: string, options: Options = {}): Promise<string> {
  const { format = "json", parquetPath, isUnsafe = false } = options;
  let output = "";
  await runQuery({
    dbPath,
    sql,
    target: parquetPath === undefined ? { format } : { parquetPath },
    isUnsafe,
    memoryLimitBytes: 512 * 2 ** 20,
    tempDir: tmpdir(),
    signal: options.signal ?? new AbortController().signal,
    write: async (text) => {
      output += text;
    },
  });
  return output;
}

describe("runQuery", () => {
  it("writes JSON with all digits, ISO days and instants, and null", async () => {
    expect(await query(await smallWarehouse(), "select * from v1.usage order by all")).toBe(
      [
        "[",
        '{"spent_on":"2026-01-05","occurred_at":"2026-01-05T09:00:00.000Z","model_id":"opus","total_tokens":9007199254740993,"cost_usd":0.100000000,"is_counted":true},',
        '{"spent_on":null,"occurred_at":null,"model_id":null,"total_tokens":null,"cost_usd":null,"is_counted":false}',
        "]",
        "",
      ].join("\n"),
    );
  });

  it.each<[FormatName, string]>([
    ["jsonl", '{"a":1,"b":"x, \\"y\\"\\nz"}\n{"a":null,"b":""}\n'],
    ["csv", 'a,b\n1,"x, ""y""\nz"\n,""\n'],
    ["markdown", '| a | b |\n| ---: | --- |\n| 1 | x, "y"\\\\nz |\n|  |  |\n'],
    ["table", 'a  b\n-  ---------\n1  x, "y"\\nz\n\n(2 rows)\n'],
  ])("writes %s", async (format, expected) => {
    const sql = "from (values (1, 'x, \"y\"\nz'), (null, '')) as t (a, b)";
    expect(await query(await smallWarehouse(), sql, { format })).toBe(expected);
  });

  it.each<[FormatName, string]>([
    ["json", "[]\n"],
    ["jsonl", ""],
    ["csv", "a\n"],
    ["markdown", "| a |\n| ---: |\n"],
    ["table", "a\n-\n(0 rows)\n"],
  ])("writes a result without rows as %s", async (format, expected) => {
    expect(await query(await smallWarehouse(), "select 1 as a where false", { format })).toBe(expected);
  });

  it("keeps numbers and times of every kind", async () => {
    const sql = `select
      170141183460469231731687303715884105727::hugeint as huge, sum(9007199254740993) as total,
      -0.50::decimal(4, 2) as small, 0.1::float as float, 'nan'::double as nan, 1e300 as large,
      timestamptz '2026-01-05 09:00:00.123456Z' as micros, timestamp '2026-01-05 09:00:00' as plain,
      'infinity'::timestamptz as never, '-infinity'::date as ever, [1, null] as list, {'a': date '2026-01-05'} as struct,
      map {'k': 1.5} as map, interval 1 day as span`;
    expect(JSON.parse(await query(await smallWarehouse(), sql))).toEqual([
      {
        huge: 2 ** 127,
        total: 2 ** 53,
        small: -0.5,
        float: 0.1,
        nan: null,
        large: 1e300,
        micros: "2026-01-05T09:00:00.123456Z",
        plain: "2026-01-05T09:00:00.000",
        never: "infinity",
        ever: "-infinity",
        list: [1, null],
        struct: { a: "2026-01-05" },
        map: { k: 1.5 },
        span: "1 day",
      },
    ]);
    expect(await query(await smallWarehouse(), sql)).toContain(
      '"huge":170141183460469231731687303715884105727,"total":9007199254740993,"small":-0.50,"float":0.1,',
    );
  });

  it("gives the second of two columns of one name another", async () => {
    expect(await query(await smallWarehouse(), "select 1 as a, 2 as a, 3 as a_1")).toBe(
      '[\n{"a":1,"a_2":2,"a_1":3}\n]\n',
    );
  });

  it("shows money without needless zeros and cuts long texts in a table", async () => {
    const sql = `select 12.340000000::decimal(18, 9) as usd, repeat('x', 80) as text, chr(27) || '[2J' as odd`;
    expect(await query(await smallWarehouse(), sql, { format: "table" })).toBe(
      [
        `  usd  ${"text".padEnd(60)}  odd`,
        `-----  ${"-".repeat(60)}  -------`,
        `12.34  ${"x".repeat(59)}…  \\x1b[2J`,
        "(1 row)",
        "",
      ].join("\n"),
    );
  });

  it("streams more rows than a table is measured by", async () => {
    const text = await query(await smallWarehouse(), "select i from range(5000) as t (i)", {
      format: "table",
    });
    expect(text.split("\n").length).toBe(5000 + 4);
    expect(text).toContain("\n4999\n(5000 rows)\n");
  });

  it.each([
    "select 1;",
    "-- what was spent\nselect 1 /* ; */ ; -- done",
    "with a as (select 1) select * from a",
    "from v1.usage",
    "values (1)",
    "describe v1.usage",
    "summarize v1.usage",
    "show tables",
    "explain select 1",
    "EXPLAIN (format json) select 1",
    "explain (select 1)",
    "select 'enable_logging() query( explain analyze'",
    "pivot v1.usage on model_id in ('opus') using sum(cost_usd)",
  ])("runs %s", async (sql) => {
    await expect(query(await smallWarehouse(), sql)).resolves.toContain("[");
  });

  it.each([
    ["select 1; select 2", "expected one statement, found 2"],
    ["", "there is no statement to run"],
    ["-- nothing\n;", "there is no statement to run"],
    ["select ?", "a statement cannot have parameters here"],
    ["explain analyze select 1", "EXPLAIN of anything but a SELECT, or with ANALYZE, is not allowed"],
    [
      "explain /* x */ (format json, analyze) select 1",
      "EXPLAIN of anything but a SELECT, or with ANALYZE, is not",
    ],
    ["explain analyze copy v1.usage to '/tmp/piquet-no.csv'", "EXPLAIN of anything but a SELECT"],
    ["copy v1.usage to '/tmp/piquet-no.csv'", "COPY is not allowed: a single SELECT or EXPLAIN may run"],
    ["create temp table a as select 1", "CREATE is not allowed"],
    ["delete from base.usage", "DELETE is not allowed"],
    ["attach ':memory:' as other", "ATTACH is not allowed"],
    ["set threads = 1", "SET is not allowed"],
    ["pragma threads = 1", "PRAGMA is not allowed"],
    ["install httpfs", "INSTALL is not allowed"],
    ["call pragma_version()", "CALL is not allowed"],
    [
      "select * from enable_logging(storage='file', storage_path='/tmp/piquet-no')",
      "enable_logging() does more than read",
    ],
    ["summarize select * from enable_profiling()", "enable_profiling() does more than read"],
    ["select * from query('select 1')", "query() does more than read"],
    ["select * from read_csv('/etc/hosts')", "Permission Error: Cannot access file"],
    ["select * from glob('/etc/*')", "Permission Error: Cannot access file"],
    ["select * from sniff_csv('/etc/hosts')", "Permission Error: Cannot access file"],
    ["select nothing from v1.usage", "Binder Error"],
    ["selec 1", "Parser Error"],
    ["pivot v1.usage on model_id using sum(cost_usd)", "a PIVOT needs its values listed"],
  ])("refuses %s", async (sql, message) => {
    await expect(query(await smallWarehouse(), sql)).rejects.toMatchObject({
      code: "STATEMENT_REFUSED",
      exitCode: 2,
      message: expect.stringContaining(message),
    });
    expect(existsSync("/tmp/piquet-no.csv") || existsSync("/tmp/piquet-no")).toBe(false);
  });

  it("lets any single statement read and write other files when told to be unsafe", async () => {
    const folder = tempFolder({ "a.csv": "a\n1\n" });
    const sql = `copy (from '${folder}/a.csv') to '${folder}/b.csv'`;
    await query(await smallWarehouse(), sql, { isUnsafe: true });
    expect(existsSync(join(folder, "b.csv"))).toBe(true);
  });

  it("keeps the warehouse read-only even then", async () => {
    await expect(query(await smallWarehouse(), "delete from base.usage", { isUnsafe: true })).rejects.toThrow(
      "read-only",
    );
  });

  it("shows no value of the data when a cast fails while running", async () => {
    const failing = query(await smallWarehouse(), "select model_id::integer from v1.usage");
    await expect(failing).rejects.toMatchObject({
      code: "FAILED",
      message: expect.not.stringContaining("opus"),
    });
  });

  it("writes Parquet with days, instants and whole sums as they are", async () => {
    const parquetPath = join(tempFolder(), "it's [1].parquet");
    const sql =
      "select spent_on, occurred_at, sum(total_tokens) as tokens, cost_usd from v1.usage group by all order by all; -- x";
    await query(await smallWarehouse(), sql, { parquetPath });
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const reader = await connection.runAndReadAll(
      "select name || ' ' || coalesce(duckdb_type, '') from parquet_schema($1) where type is not null",
      [parquetPath],
    );
    expect(reader.getRows().flat()).toEqual([
      "spent_on DATE",
      "occurred_at TIMESTAMP WITH TIME ZONE",
      "tokens DECIMAL(38,0)",
      "cost_usd DECIMAL(18,9)",
    ]);
    connection.closeSync();
    instance.closeSync();
  });

  it.each([
    "select 1) to '/tmp/piquet-no.csv' (format csv); --",
    "copy v1.usage to '/tmp/piquet-no.csv'",
    "explain select 1",
  ])("writes no Parquet of %s", async (sql) => {
    const parquetPath = join(tempFolder(), "a.parquet");
    await expect(query(await smallWarehouse(), sql, { parquetPath })).rejects.toMatchObject({ exitCode: 2 });
    expect([existsSync(parquetPath), existsSync("/tmp/piquet-no.csv")]).toEqual([false, false]);
  });

  it("says that there is no warehouse yet", async () => {
    const path = join(tempFolder(), "none.duckdb");
    await expect(query(path, "select 1")).rejects.toMatchObject({
      code: "WAREHOUSE_MISSING",
      exitCode: 2,
      message: `no warehouse at ${path}; \`piquet ingest\` makes one`,
    });
  });

  it("says that a file is no warehouse", async () => {
    const path = join(tempFolder({ "w.duckdb": "hello ".repeat(2000) }), "w.duckdb");
    await expect(query(path, "select 1")).rejects.toMatchObject({ message: `${path} is not a DuckDB file` });
  });

  it("names the process that holds the warehouse", async () => {
    const path = await smallWarehouse();
    const script = `const { DuckDBInstance } = await import("@duckdb/node-api"); await DuckDBInstance.create(${JSON.stringify(path)}); console.log("open"); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ["--input-type=module", "-e", script]);
    await new Promise((resolve) => holder.stdout.once("data", resolve));
    await expect(query(path, "select 1")).rejects.toMatchObject({
      code: "WAREHOUSE_LOCKED",
      exitCode: 5,
      message: `${path} is in use by process ${holder.pid}; try again when its load is done`,
    });
    holder.kill();
  });

  it("stops a long statement when asked to", async () => {
    const stopping = new AbortController();
    const sql = "select count(*) from range(1000000) as a (i), range(1000000) as b (j) where a.i + b.j < 0";
    const running = query(await smallWarehouse(), sql, { signal: stopping.signal });
    setTimeout(() => stopping.abort(), 300);
    await expect(running).rejects.toMatchObject({ code: "ABORTED" });
  });

  it("leaves nothing beside the warehouse", async () => {
    const path = await smallWarehouse();
    await query(path, "from v1.usage");
    expect(readdirSync(dirname(path))).toEqual(["small.duckdb"]);
  });
});
