import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { tempFolder } from "./temp-folder.js";

/** A warehouse of one view over one table, with a value of every type that views have. Gives its path. */
export async function smallWarehouse(): Promise<string> {
  const path = join(tempFolder(), "small.duckdb");
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(`
    create schema base;
    create schema v1;
    create table base.usage as
    select
      date '2026-01-05' as spent_on,
      timestamptz '2026-01-05 09:00:00Z' as occurred_at,
      'opus' as model_id,
      9007199254740993::bigint as total_tokens,
      0.1::decimal(18, 9) as cost_usd,
      true as is_counted
    union all
    select null, null, null, null, null, false;
    create view v1.usage as select * from base.usage;
  `);
  connection.closeSync();
  instance.closeSync();
  return path;
}
