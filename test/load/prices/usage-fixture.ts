import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { migrate } from "../../../pipeline/load/migrate.js";
import { applyEstimates, type EstimateOutcome } from "../../../pipeline/load/prices/estimates.js";
import { queryRows } from "../../../pipeline/load/sql.js";
import { quoteText } from "../../../schema/ddl.js";

/** A row of base.usage; what is left out is a reply of 2026-10-01 with a recorded cost of 0 and no tokens. */
export interface UsageRow {
  readonly provider?: string | null;
  readonly model: string | null;
  readonly answeredBy?: string;
  readonly at?: string | null;
  readonly requests?: number;
  readonly input?: number | null;
  readonly output?: number | null;
  readonly cacheRead?: number | null;
  readonly cacheWrite?: number;
  readonly cacheWrite1h?: number;
  readonly reasoning?: number;
  readonly status?: "recorded" | "zero" | "missing" | "invalid";
  readonly isPresent?: boolean;
  readonly isCopy?: boolean;
}

export interface Warehouse {
  readonly connection: DuckDBConnection;
  close(): void;
}

/** An empty warehouse inside an open transaction, as the load has it when it estimates. */
export async function openTransaction(): Promise<Warehouse> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run("set timezone = 'UTC'");
  await connection.run("attach ':memory:' as warehouse");
  await connection.run("use warehouse");
  await connection.run("begin");
  await migrate(connection);
  const close = (): void => {
    connection.closeSync();
    instance.closeSync();
  };
  return { connection, close };
}

export async function addUsage(
  connection: DuckDBConnection,
  rows: readonly UsageRow[],
  firstSeq = 1,
): Promise<void> {
  for (const [index, row] of rows.entries()) {
    const values = { ...fixedValues(firstSeq + index), ...givenValues(row) };
    await connection.run(
      `insert into base.usage (${Object.keys(values).join(", ")}) values (${Object.values(values).map(literal).join(", ")})`,
    );
  }
}

function fixedValues(entrySeq: number): Record<string, unknown> {
  return {
    session_key: "shop",
    entry_seq: entrySeq,
    usage_seq: 0,
    entry_id: `a000000${entrySeq}`,
    file_id: "file",
    record_key: `record ${entrySeq}`,
    load_id: 1,
    source: "assistant",
    is_failed: false,
    invalid_token_count: 0,
    is_counted: true,
  };
}

function givenValues(row: UsageRow): Record<string, unknown> {
  return {
    provider: row.provider ?? null,
    model_id: row.model,
    response_model: row.answeredBy ?? null,
    occurred_at: row.at === undefined ? "2026-10-01T12:00:00Z" : row.at,
    request_count: row.requests ?? 1,
    input_tokens: row.input === undefined ? 0 : row.input,
    output_tokens: row.output === undefined ? 0 : row.output,
    cache_read_tokens: row.cacheRead === undefined ? 0 : row.cacheRead,
    cache_write_tokens: row.cacheWrite ?? 0,
    cache_write_1h_tokens: row.cacheWrite1h ?? null,
    reasoning_tokens: row.reasoning ?? null,
    cost_status: row.status ?? "zero",
    is_present: row.isPresent ?? true,
    is_copy: row.isCopy ?? false,
  };
}

function literal(value: unknown): string {
  return typeof value === "string" ? quoteText(value) : String(value);
}

/** `[estimate, source, version]` of each row, in the order in which they were added. */
export async function readEstimates(connection: DuckDBConnection): Promise<unknown[][]> {
  const rows = await queryRows(
    connection,
    "select estimated_cost_usd::varchar as usd, price_source, price_version from base.usage order by entry_seq",
  );
  return rows.map((row) => [row["usd"], row["price_source"], row["price_version"]]);
}

/** Estimates of rows in a warehouse of their own. */
export async function estimate(
  rows: readonly UsageRow[],
  modelsPaths: readonly string[] = [],
): Promise<{ estimates: unknown[][]; outcome: EstimateOutcome }> {
  const { connection, close } = await openTransaction();
  try {
    await addUsage(connection, rows);
    const outcome = await applyEstimates(connection, { modelsPaths, rowsChanged: true });
    return { estimates: await readEstimates(connection), outcome };
  } finally {
    close();
  }
}
