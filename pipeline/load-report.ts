import type { IngestConfig } from "./config.js";
import type { LoadReport } from "./flow.js";
import type { Load } from "./load/load.js";
import type { LoadCounts, LoadRecord } from "./load/load-record.js";
import { toolVersion } from "./version.js";

/** What a run did before it is committed. */
export interface Outcome {
  readonly files: LoadReport["files"];
  readonly counts: LoadCounts;
  readonly bytesRead: number;
  readonly warnings: readonly string[];
  readonly failedChecks: readonly string[];
  readonly restatedCostUsd: string;
}

/** Row of `base.loads` for a run that succeeded. */
export function recordOf(load: Load, config: IngestConfig, outcome: Outcome, startedAt: Date): LoadRecord {
  return {
    loadId: load.loadId,
    machine: load.machine,
    startedAt,
    endedAt: new Date(),
    status: "succeeded",
    toolVersion: toolVersion(),
    timeZone: load.timeZone,
    content: config.content,
    files: outcome.files,
    counts: outcome.counts,
    bytesRead: outcome.bytesRead,
    restatedCostUsd: outcome.restatedCostUsd,
    failureMessage: null,
  };
}

/** The record in the words of `ingest --json`. */
export function reportOf(record: LoadRecord, outcome: Outcome): LoadReport {
  const { counts } = outcome;
  return {
    load_id: record.loadId,
    status: record.status,
    files: outcome.files,
    rows: {
      files: outcome.files.loaded + outcome.files.skipped,
      sessions: counts.sessionCount,
      entries: counts.entryCount,
      messages: counts.messageCount,
      tool_calls: counts.toolCallCount,
      usage: counts.usageCount,
      rejects: counts.rejectCount,
    },
    rejects: counts.rejectCount,
    pending_tails: counts.pendingTailCount,
    copies: counts.copyCount,
    bytes_read: outcome.bytesRead,
    duration_ms: record.endedAt.getTime() - record.startedAt.getTime(),
    warnings: outcome.warnings,
    failed_checks: outcome.failedChecks,
  };
}
