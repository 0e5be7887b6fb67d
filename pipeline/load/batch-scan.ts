import {
  BIGINT,
  BOOLEAN,
  DATE,
  DOUBLE,
  type DuckDBConnection,
  DuckDBTableFunction,
  type DuckDBType,
  INTEGER,
  TIMESTAMPTZ,
  VARCHAR,
} from "@duckdb/node-api";
import type { RecordBatch } from "apache-arrow";
import { type BatchTableName, batchTables } from "../../schema/index.js";
import { type ColumnType, readColumnNames, type Table } from "../../schema/table.js";
import { fillDataChunk } from "./data-chunk.js";

/** DuckDB type of a column as batches carry it: money comes as the double that Pi wrote. */
const BATCH_TYPES: Readonly<Record<ColumnType, DuckDBType>> = {
  varchar: VARCHAR,
  bigint: BIGINT,
  integer: INTEGER,
  double: DOUBLE,
  "decimal(18,9)": DOUBLE,
  boolean: BOOLEAN,
  date: DATE,
  timestamptz: TIMESTAMPTZ,
};

/** Gives queued batches to `insert into .. select .. from <scan>`; each is handed out once. */
export interface BatchScan {
  readonly sqlName: string;
  queue(batch: RecordBatch): void;
}

/**
 * Registers a table function for each table that batches come for. DuckDB calls it on this thread while
 * its own threads compress and write (load-path section 3: the quickest way in, and the one with the
 * smallest memory).
 */
export function registerBatchScans(connection: DuckDBConnection): Record<BatchTableName, BatchScan> {
  const scan = (name: BatchTableName): BatchScan => registerScan(connection, batchTables[name]);
  return {
    files: scan("files"),
    sessions: scan("sessions"),
    entries: scan("entries"),
    messages: scan("messages"),
    tool_calls: scan("tool_calls"),
    usage: scan("usage"),
    rejects: scan("rejects"),
    entry_links: scan("entry_links"),
    retries: scan("retries"),
    late_results: scan("late_results"),
  };
}

function registerScan(connection: DuckDBConnection, table: Table): BatchScan {
  const names = readColumnNames(table);
  const types = names.map((name) => table.columns[name]?.type ?? "varchar");
  const waiting: RecordBatch[] = [];
  const sqlName = `piquet_scan_${table.name}`;

  connection.registerTableFunction(
    DuckDBTableFunction.create({
      name: sqlName,
      bindFunction: (info) => {
        for (const [index, name] of names.entries())
          info.addResultColumn(name, BATCH_TYPES[types[index] ?? "varchar"]);
      },
      initFunction: () => {},
      mainFunction: (_info, output) => {
        const batch = waiting.shift();
        if (batch === undefined) output.rowCount = 0;
        else fillDataChunk(output.chunk, batch, types);
      },
    }),
  );
  return { sqlName, queue: (batch) => void waiting.push(batch) };
}
