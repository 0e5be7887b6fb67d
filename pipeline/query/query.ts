import { type DuckDBConnection, type DuckDBResult, DuckDBTypeId } from "@duckdb/node-api";
import { PipelineError } from "../errors.js";
import type { OutputColumn } from "./formats/format.js";
import { type FormatName, formats } from "./formats/index.js";
import { asRefusal, prepareAny, prepareReading } from "./guard.js";
import { type OpenOptions, openWarehouse, quoteText } from "./open-warehouse.js";

export type { FormatName } from "./formats/index.js";
export const FORMAT_NAMES: readonly FormatName[] = ["table", "json", "jsonl", "csv", "markdown"];

export interface QueryRequest extends Omit<OpenOptions, "allowedPaths"> {
  readonly sql: string;
  /** Parquet goes to this file, which must not exist; any other result through `write`. */
  readonly target: { readonly parquetPath: string } | { readonly format: FormatName };
  readonly write: (text: string) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Runs one statement over a warehouse and hands its result on as text, a piece at a time, or writes it as
 * Parquet. Throws `STATEMENT_REFUSED` for a statement that is wrong or not allowed, `FAILED` where running it
 * fails.
 */
export async function runQuery(request: QueryRequest): Promise<void> {
  const { target } = request;
  const allowedPaths = "parquetPath" in target ? [target.parquetPath] : [];
  const warehouse = await openWarehouse({ ...request, allowedPaths });
  const interrupt = (): void => warehouse.connection.interrupt();
  request.signal.addEventListener("abort", interrupt);
  try {
    if ("parquetPath" in target) await writeParquet(warehouse.connection, request, target.parquetPath);
    else await writeText(warehouse.connection, request, target.format);
  } catch (error) {
    throw request.signal.aborted ? new PipelineError("ABORTED", "stopped") : runError(error);
  } finally {
    request.signal.removeEventListener("abort", interrupt);
    warehouse.close();
  }
}

async function writeText(
  connection: DuckDBConnection,
  request: QueryRequest,
  format: FormatName,
): Promise<void> {
  const prepare = request.isUnsafe ? prepareAny : prepareReading;
  const result = await (await prepare(connection, request.sql)).stream();
  const writer = formats[format](outputColumns(result));
  for await (const rows of result.yieldRows()) {
    const text = writer.rows(rows);
    if (text !== "") await request.write(text);
  }
  await request.write(writer.end());
}

/**
 * The statement is checked by itself and becomes a view before a COPY of it is put together, so that no text
 * of it can end the COPY early. HUGEINT, which sums of whole numbers are, would become DOUBLE in Parquet.
 */
async function writeParquet(
  connection: DuckDBConnection,
  request: QueryRequest,
  parquetPath: string,
): Promise<void> {
  await prepareReading(connection, request.sql);
  await connection.run(`create temp view piquet_result as ${request.sql}`).catch((error: unknown) => {
    throw asRefusal(error);
  });
  const result = await connection.stream("from piquet_result limit 0");
  const columns = result.columnNames().map((name, index) => {
    const quoted = `"${name.replaceAll('"', '""')}"`;
    return result.columnTypeId(index) === DuckDBTypeId.HUGEINT
      ? `${quoted}::decimal(38, 0) as ${quoted}`
      : quoted;
  });
  await connection.run(
    `copy (select ${columns.join(", ")} from piquet_result) to ${quoteText(parquetPath)} (format parquet, compression zstd)`,
  );
}

function outputColumns(result: DuckDBResult): readonly OutputColumn[] {
  const names = uniqueNames(result.columnNames());
  return names.map((name, index) => {
    const typeId = result.columnTypeId(index);
    return { name, isNumber: NUMBER_TYPES.has(typeId), isFloat: typeId === DuckDBTypeId.FLOAT };
  });
}

const NUMBER_TYPES: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.BIGNUM,
  DuckDBTypeId.FLOAT,
  DuckDBTypeId.DOUBLE,
  DuckDBTypeId.DECIMAL,
]);

/** An object cannot hold two members of one name: the second `a` becomes `a_1`. */
function uniqueNames(names: readonly string[]): readonly string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    if (!seen.has(name)) {
      seen.add(name);
      return name;
    }
    let number = 1;
    while (taken.has(`${name}_${number}`)) number += 1;
    taken.add(`${name}_${number}`);
    return `${name}_${number}`;
  });
}

/** DuckDB quotes values of the data in what it says of a failed cast, so such values are taken out. */
function runError(error: unknown): unknown {
  if (error instanceof PipelineError || !(error instanceof Error)) return error;
  if (error.message.startsWith("Permission Error")) return asRefusal(error);
  const message = error.message.replace(/(['"]).*\1/s, "$1…$1");
  return new PipelineError("FAILED", message, { cause: error });
}
