import type { DuckDBConnection, DuckDBPreparedStatement } from "@duckdb/node-api";
import type { RecordBatch } from "apache-arrow";
import { createStageSql } from "../../schema/ddl.js";
import { type BatchTableName, batchTables } from "../../schema/index.js";
import { registerBatchScans } from "./batch-scan.js";
import { insertSql, insertStageSql } from "./insert-sql.js";

/** Wide rows go straight into the base table, so that text is written once; the rest waits to be joined. */
const DIRECT: ReadonlySet<BatchTableName> = new Set(["messages", "tool_calls", "usage"]);

const BATCH_TABLE_NAMES: readonly BatchTableName[] = [
  "files",
  "sessions",
  "entries",
  "messages",
  "tool_calls",
  "usage",
  "rejects",
  "entry_links",
  "retries",
  "late_results",
];

export interface BatchWriter {
  /** Resolves once the rows are in DuckDB and the batch's memory may be used again. */
  write(table: BatchTableName, batch: RecordBatch): Promise<void>;
}

/** Prepares the temporary `stage_*` tables of a run and the way batches take into DuckDB. */
export async function createBatchWriter(connection: DuckDBConnection): Promise<BatchWriter> {
  const scans = registerBatchScans(connection);
  const inserts = new Map<BatchTableName, DuckDBPreparedStatement>();
  for (const name of BATCH_TABLE_NAMES) {
    const table = batchTables[name];
    const from = `${scans[name].sqlName}()`;
    if (DIRECT.has(name)) {
      inserts.set(name, await connection.prepare(insertSql(table, from)));
    } else {
      await connection.run(createStageSql(table, `stage_${name}`));
      inserts.set(name, await connection.prepare(insertStageSql(table, `stage_${name}`, from)));
    }
  }
  return {
    write: async (table, batch) => {
      scans[table].queue(batch);
      await inserts.get(table)?.run();
    },
  };
}
