import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PipelineError } from "../../pipeline/errors.js";
import { runQuery } from "../../pipeline/query/query.js";
import { smallWarehouse } from "../support/small-warehouse.js";
import { tempFolder } from "../support/temp-folder.js";
import { note } from "./support/tally.js";

/** Stands in every file around the warehouse that a query must not be able to read. */
const CANARY = "canary-4711";

/** What may be tried with `{dir}`, a folder that holds readable files, and `{db}`, another database there. */
const ATTEMPTS: readonly string[] = [
  // Writing.
  "copy v1.usage to '{dir}/out.csv'",
  "copy (select 1) to '{dir}/out.parquet' (format parquet)",
  "copy (select 1) to '/dev/stdout'",
  "with a as (copy v1.usage to '{dir}/out.csv') select 1",
  "select * from (copy v1.usage to '{dir}/out.csv')",
  "explain analyze copy v1.usage to '{dir}/out.csv'",
  "explain (analyze) copy v1.usage to '{dir}/out.csv'",
  "/* a */ explain -- b\n analyze select 1",
  "EXPLAIN (FORMAT json, ANALYZE) select 1",
  "explain (analyze true, format json) copy (select 1) to '{dir}/out.csv'",
  "export database '{dir}/export'",
  "import database '{dir}/export'",
  "create table a as select 1",
  "create temp table a as select 1",
  "create or replace view v1.usage as select 1",
  "create macro a() as 1",
  "create secret s (type s3, key_id 'a', secret 'b')",
  "create persistent secret s (type s3, key_id 'a', secret 'b')",
  "insert into base.usage select * from base.usage",
  "update base.usage set cost_usd = 0",
  "delete from base.usage",
  "with gone as (delete from base.usage returning *) select * from gone",
  "merge into base.usage using base.usage as u on true when matched then delete",
  "truncate base.usage",
  "drop view v1.usage",
  "alter table base.usage add column a integer",
  "comment on table base.usage is 'a'",
  "vacuum",
  "checkpoint",
  "begin",
  // Reading files.
  "from '{dir}/secret.csv'",
  "from '{dir}/link.csv'",
  'from "{dir}/secret.csv"',
  "select * from read_csv('{dir}/secret.csv')",
  "select * from read_csv_auto('{dir}/secret.csv')",
  "select * from read_text('{dir}/*')",
  "select * from read_blob('{dir}/secret.csv')",
  "select * from read_json('{dir}/secret.json')",
  "select * from read_ndjson_objects('{dir}/secret.json')",
  "select * from read_parquet('{dir}/*.parquet')",
  "select * from parquet_metadata('{dir}/a.parquet')",
  "select * from parquet_schema('{dir}/a.parquet')",
  "select * from glob('{dir}/*')",
  "select * from sniff_csv('{dir}/secret.csv')",
  "select * from read_text('/proc/self/environ')",
  "select content from read_text(['{dir}/secret.csv'])",
  "select * from arrow_scan(1, 2, 3)",
  "select * from pandas_scan(1)",
  "select * from read_duckdb('{db}')",
  "select * from duckdb_scan('{db}', 'a')",
  "select (select content from read_text('{dir}/secret.csv'))",
  "describe from read_csv('{dir}/secret.csv')",
  "summarize from '{dir}/secret.csv'",
  "explain select * from read_csv('{dir}/secret.csv')",
  "select * from query_table('{dir}/secret.csv')",
  "select * from query('select content from read_text(''{dir}/secret.csv'')')",
  "select * from json_execute_serialized_sql(json_serialize_sql('select 1'))",
  "pragma json_execute_serialized_sql('{}')",
  "select getenv('PIQUET_CANARY')",
  "select * from duckdb_secrets()",
  "select * from duckdb_extensions()",
  "select * from pragma_database_list()",
  "select which_secret('s3://a', 's3')",
  // Other databases and extensions.
  "attach '{db}' as other",
  "attach '{db}' as other (read_only)",
  "attach ':memory:' as other",
  "attach 'https://example.invalid/a.duckdb'",
  "use memory",
  "detach small",
  "install httpfs",
  "force install httpfs from 'https://example.invalid'",
  "load httpfs",
  "load '{dir}/evil.duckdb_extension'",
  "update extensions",
  "select * from 'https://example.invalid/a.csv'",
  "select * from read_csv('s3://bucket/a.csv')",
  "select * from read_parquet('hf://datasets/a/b')",
  // Settings.
  "set enable_external_access = true",
  "set lock_configuration = false",
  "reset lock_configuration",
  "set allowed_directories = ['{dir}']",
  "set temp_directory = '{dir}'",
  "set home_directory = '{dir}'",
  "set secret_directory = '{dir}'",
  "set custom_extension_repository = '{dir}'",
  "set log_query_path = '{dir}/log'",
  "set profiling_output = '{dir}/profile'",
  "set enable_profiling = 'json'",
  "pragma enable_profiling",
  "pragma enable_external_access",
  "set variable a = 1",
  "call enable_logging(storage := 'file', storage_path := '{dir}/log')",
  "select * from enable_logging('QueryLog', storage := 'file', storage_config := {'path': '{dir}/log'})",
  "select write_log('{dir}')",
  "select * from pragma_storage_info('base.usage'); copy v1.usage to '{dir}/out.csv'",
  "call checkpoint()",
  "select * from force_checkpoint()",
  // More than one statement, or one that is prepared.
  "select 1; select 2",
  "select 1; copy v1.usage to '{dir}/out.csv'",
  "prepare a as copy v1.usage to '{dir}/out.csv'",
  "execute a",
  "prepare a as select 1",
  "deallocate a",
  "select $1",
  "; ; ",
  "",
  "--",
];

/** Statements that read nothing but the warehouse and settings; they may answer, and must not leak. */
const HARMLESS: readonly string[] = [
  "select * from duckdb_settings()",
  "select * from duckdb_databases()",
  "select json_deserialize_sql(json_serialize_sql('select 1'))",
  "select * from duckdb_temporary_files()",
  "select * from duckdb_logs",
  "select current_setting('temp_directory')",
  "select * from information_schema.tables",
  "explain select * from v1.usage",
  "show tables",
  "describe v1.usage",
];

interface Place {
  readonly dbPath: string;
  readonly dir: string;
}

async function place(): Promise<Place> {
  const dbPath = await smallWarehouse();
  const other = await smallWarehouse();
  const dir = join(tempFolder(), "around");
  mkdirSync(dir);
  for (const name of ["secret.csv", "secret.json", "evil.duckdb_extension", "a.parquet"])
    writeFileSync(join(dir, name), `{"a":"${CANARY}"}\n`);
  symlinkSync(join(dir, "secret.csv"), join(dir, "link.csv"));
  writeFileSync(join(dir, "other.duckdb"), readFileSync(other));
  return { dbPath, dir };
}

/** The code of the refusal, else what was answered. */
async function attempt({ dbPath, dir }: Place, template: string): Promise<string> {
  const sql = template.replaceAll("{dir}", dir).replaceAll("{db}", join(dir, "other.duckdb"));
  let answer = "";
  try {
    await runQuery({
      dbPath,
      sql,
      target: { format: "json" },
      isUnsafe: false,
      memoryLimitBytes: 2 ** 29,
      tempDir: join(dir, ".."),
      signal: new AbortController().signal,
      write: async (text) => void (answer += text),
    });
  } catch (error) {
    return error instanceof PipelineError && !error.message.includes(CANARY)
      ? `${error.code} ${error.exitCode}`
      : `${error}`;
  }
  return answer;
}

/** Every file of the folder by size and time, so that a new or changed one shows. */
function stateOf(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" })
    .map((name) => `${name} ${statSync(join(dir, name)).size} ${statSync(join(dir, name)).mtimeMs}`)
    .toSorted();
}

describe("piquet sql", () => {
  it(`refuses each of ${ATTEMPTS.length} attempts to write, to read elsewhere or to get out`, async () => {
    const where = await place();
    const before = [stateOf(where.dir), readFileSync(where.dbPath)];
    const answers: [string, string][] = [];
    for (const sql of ATTEMPTS) answers.push([sql, await attempt(where, sql)]);
    const answered = answers.filter(([, answer]) => !/^(?:STATEMENT_REFUSED|USAGE) 2$/.test(answer));
    const refused = ATTEMPTS.length - answered.length;
    note({ kind: "attempts", what: "piquet sql", tried: ATTEMPTS.length, refused });
    expect(answered).toEqual([]);
    expect([stateOf(where.dir), readFileSync(where.dbPath)]).toEqual(before);
    expect(existsSync(join(where.dir, "out.csv"))).toBe(false);
  });

  it.each(HARMLESS)("answers %s without a word from outside", async (sql) => {
    const where = await place();
    const before = stateOf(where.dir);
    const answer = await attempt(where, sql);
    expect(answer).not.toMatch(/^STATEMENT_REFUSED/);
    expect(answer).not.toContain(CANARY);
    expect(stateOf(where.dir)).toEqual(before);
  });
});
