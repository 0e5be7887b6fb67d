import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteName, quoteText } from "../../schema/ddl.js";
import { SCHEMA_VERSION, TRANSFORM_VERSION } from "../../schema/index.js";
import { loads } from "../../schema/loads.js";
import { loadSql, numberOf, queryRows, runLoadSql, textOf } from "./sql.js";

/** Counts of a run, named as in its record. */
export interface LoadCounts {
  readonly entryCount: number;
  readonly messageCount: number;
  readonly toolCallCount: number;
  readonly usageCount: number;
  readonly sessionCount: number;
  readonly skippedCount: number;
  readonly pendingTailCount: number;
  readonly rejectCount: number;
  readonly copyCount: number;
}

export interface LoadRecord {
  readonly loadId: number;
  readonly machine: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly status: "succeeded" | "failed";
  readonly toolVersion: string;
  readonly timeZone: string;
  readonly content: string;
  readonly files: {
    seen: number;
    loaded: number;
    unchanged: number;
    skipped: number;
    missing: number;
    failed: number;
  };
  readonly counts: LoadCounts;
  readonly bytesRead: number;
  readonly restatedCostUsd: string;
  readonly failureMessage: string | null;
}

export const NO_COUNTS: LoadCounts = {
  entryCount: 0,
  messageCount: 0,
  toolCallCount: 0,
  usageCount: 0,
  sessionCount: 0,
  skippedCount: 0,
  pendingTailCount: 0,
  rejectCount: 0,
  copyCount: 0,
};

const SHOWN_REJECTS = 20;

export async function readCounts(connection: DuckDBConnection): Promise<LoadCounts> {
  const [row] = await queryRows(connection, loadSql("load_counts"));
  return {
    entryCount: numberOf(row, "entry_count"),
    messageCount: numberOf(row, "message_count"),
    toolCallCount: numberOf(row, "tool_call_count"),
    usageCount: numberOf(row, "usage_count"),
    sessionCount: numberOf(row, "session_count"),
    skippedCount: numberOf(row, "skipped_count"),
    pendingTailCount: numberOf(row, "pending_tail_count"),
    rejectCount: numberOf(row, "reject_count"),
    copyCount: numberOf(row, "copy_count"),
  };
}

/** The first rejected lines of the run by file, line and reason, without any of their text. */
export async function rejectWarnings(connection: DuckDBConnection, rejectCount: number): Promise<string[]> {
  const rows = await queryRows(connection, loadSql("first_rejects", { limit: String(SHOWN_REJECTS) }));
  const shown = rows.map(
    (row) =>
      `${textOf(row, "path")}: line ${textOf(row, "line_number")}: ${textOf(row, "reason")}: ${textOf(row, "message")}`,
  );
  const more = rejectCount - shown.length;
  return more > 0 ? [...shown, `${more} more rejected lines stand in base.rejects`] : shown;
}

/** Sum of the changes that the run made to the days before it, in US dollars; 0 for a first load. */
export async function restatedCost(
  connection: DuckDBConnection,
  startedAt: Date,
  isFirst: boolean,
): Promise<string> {
  if (isFirst) return "0";
  await runLoadSql(connection, "spend_by_day", { name: "spend_after" });
  const today = `cast(timezone(getvariable('time_zone'), ${instant(startedAt)}) as date)`;
  const [row] = await queryRows(connection, loadSql("restated_cost", { today }));
  return row === undefined ? "0" : textOf(row, "restated_cost_usd");
}

export async function insertLoadRecord(connection: DuckDBConnection, record: LoadRecord): Promise<void> {
  const { files, counts } = record;
  const values: Readonly<Record<keyof typeof loads.columns, string>> = {
    load_id: String(record.loadId),
    machine: quoteText(record.machine),
    started_at: instant(record.startedAt),
    ended_at: instant(record.endedAt),
    duration_ms: String(record.endedAt.getTime() - record.startedAt.getTime()),
    status: quoteText(record.status),
    tool_version: quoteText(record.toolVersion),
    schema_version: String(SCHEMA_VERSION),
    transform_version: String(TRANSFORM_VERSION),
    time_zone: quoteText(record.timeZone),
    content: quoteText(record.content),
    files_seen_count: String(files.seen),
    files_loaded_count: String(files.loaded),
    files_unchanged_count: String(files.unchanged),
    files_skipped_count: String(files.skipped),
    files_missing_count: String(files.missing),
    files_failed_count: String(files.failed),
    entry_count: String(counts.entryCount),
    message_count: String(counts.messageCount),
    tool_call_count: String(counts.toolCallCount),
    usage_count: String(counts.usageCount),
    reject_count: String(counts.rejectCount),
    pending_tail_count: String(counts.pendingTailCount),
    copy_count: String(counts.copyCount),
    bytes_read: String(record.bytesRead),
    restated_cost_usd: record.restatedCostUsd,
    failure_message: record.failureMessage === null ? "null" : quoteText(record.failureMessage),
  };
  const names = Object.keys(values).map(quoteName);
  await connection.run(
    `insert into base.loads (${names.join(", ")}) values (${Object.values(values).join(", ")})`,
  );
}

function instant(at: Date): string {
  return `timestamptz ${quoteText(at.toISOString())}`;
}
