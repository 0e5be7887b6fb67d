import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { TRANSFORM_VERSION } from "../schema/index.js";
import type { IngestConfig } from "./config.js";
import { type Discovery, discoverFiles, type FoundFile } from "./discover/discover.js";
import { type FilePlan, planFiles } from "./discover/file-state.js";
import { hashFile } from "./discover/hash-file.js";
import { PipelineError } from "./errors.js";
import type { LoadReport } from "./flow.js";
import { beginLoad, type FailedFile, type HeldFile, type Load, type LoadFile } from "./load/load.js";
import {
  insertLoadRecord,
  type LoadCounts,
  type LoadRecord,
  readCounts,
  rejectWarnings,
  restatedCost,
} from "./load/load-record.js";
import { applyEstimates, findModelsFiles } from "./load/prices/estimates.js";
import { type CommitOutcome, commit, recordFailure, rollback } from "./load/transaction.js";
import { openWarehouse, reasonOf, type Warehouse } from "./load/warehouse.js";
import type { Logger } from "./log.js";
import { readFiles } from "./read-files.js";
import { toRecordBatch } from "./transform/record-batches.js";
import { toolVersion } from "./version.js";
import { applyViews } from "./views/apply-views.js";

export interface IngestHooks {
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly bytesDone: number;
}

/** What a run did before it is committed. */
interface Outcome {
  readonly files: LoadReport["files"];
  readonly counts: LoadCounts;
  readonly bytesRead: number;
  readonly warnings: readonly string[];
  readonly restatedCostUsd: string;
}

interface Reading {
  readonly bytesRead: number;
  readonly failed: readonly FailedFile[];
}

/**
 * Runs the pipeline once: discover, extract, transform, load, views, in one transaction. Throws a
 * `PipelineError` when nothing was committed; the failure is then on record in `base.loads`, as far as the
 * warehouse could be opened.
 */
export async function ingest(config: IngestConfig, hooks: IngestHooks): Promise<LoadReport> {
  const startedAt = new Date();
  const discovery = discoverFiles(config.roots, { withArchives: config.withArchives });
  hooks.log.info({ files: discovery.files.length, unreadable: discovery.unreadable.length }, "discovered");
  const isNew = !existsSync(config.dbPath);
  const warehouse = await openWarehouse({
    path: config.dbPath,
    tempDir: config.tempDir,
    memoryBytes: config.memoryBytes,
    threads: Math.max(config.jobs, 1),
  });
  const interrupt = (): void => warehouse.connection.interrupt();
  hooks.signal.addEventListener("abort", interrupt);
  try {
    return await runLoad(warehouse, config, hooks, discovery, startedAt);
  } finally {
    hooks.signal.removeEventListener("abort", interrupt);
    warehouse.close();
    if (config.isDryRun && isNew) rmSync(config.dbPath, { force: true });
  }
}

async function runLoad(
  warehouse: Warehouse,
  config: IngestConfig,
  hooks: IngestHooks,
  discovery: Discovery,
  startedAt: Date,
): Promise<LoadReport> {
  let load: Load | null = null;
  try {
    load = await beginLoad(warehouse, config);
    const outcome = await fillLoad(load, config, hooks, discovery, startedAt);
    const record = recordOf(load, config, outcome, startedAt);
    await insertLoadRecord(load.connection, record);
    hooks.signal.throwIfAborted();
    const end: CommitOutcome = config.isDryRun
      ? await rollback(warehouse)
      : await commit(warehouse, load.loadId);
    hooks.log.info(
      { load_id: load.loadId, duration_ms: record.endedAt.getTime() - startedAt.getTime(), ...end },
      "loaded",
    );
    return reportOf(record, outcome);
  } catch (cause) {
    await rollback(warehouse);
    if (!config.isDryRun) await recordFailure(warehouse, config, startedAt, toolVersion(), reasonOf(cause));
    if (hooks.signal.aborted)
      throw new PipelineError("ABORTED", "stopped; nothing of this run was kept", { cause });
    throw cause;
  }
}

async function fillLoad(
  load: Load,
  config: IngestConfig,
  hooks: IngestHooks,
  discovery: Discovery,
  startedAt: Date,
): Promise<Outcome> {
  const held = await load.heldFiles();
  const plan = planFiles(discovery, held, { ...config, transformVersion: TRANSFORM_VERSION });
  const { toRead, unchanged } = await decide(load, plan, held);
  const missing = plan.missing.map((file) => fileIdOf(load.machine, file.path));
  hooks.log.info({ to_read: toRead.length, unchanged, missing: missing.length }, "planned");

  await load.expect(toRead, missing);
  const reading = await read(load, toRead, config, hooks);
  hooks.log.info({ bytes_read: reading.bytesRead, failed: reading.failed.length }, "read");
  if (toRead.length > 0 || missing.length > 0) await load.settle(reading.failed);

  const estimates = await applyEstimates(load.connection, {
    modelsPaths: findModelsFiles(config.roots, config.agentDir, config.modelsPath),
    rowsChanged: toRead.length > 0,
  });
  await applyViews(load.connection);
  const counts = await readCounts(load.connection);
  return {
    files: {
      seen: discovery.files.length,
      loaded: counts.sessionCount,
      unchanged,
      skipped: counts.skippedCount,
      missing: missing.length,
      failed: reading.failed.length + discovery.unreadable.length,
    },
    counts,
    bytesRead: reading.bytesRead,
    warnings: [
      ...discovery.unreadable.map((place) => `${place.path}: cannot be read: ${place.reason}`),
      ...failedWarnings(reading.failed, toRead),
      ...(await rejectWarnings(load.connection, counts.rejectCount)),
      ...estimates.warnings,
    ],
    restatedCostUsd: await restatedCost(load.connection, startedAt, load.isFirst),
  };
}

/** Files whose change time alone differs are read only where their bytes differ too. */
async function decide(
  load: Load,
  plan: FilePlan,
  held: readonly HeldFile[],
): Promise<{ toRead: LoadFile[]; unchanged: number }> {
  const byPath = new Map(held.map((file) => [file.path, file]));
  const changed: FoundFile[] = [];
  const same: FoundFile[] = [];
  for (const file of plan.toVerify) {
    const before = byPath.get(file.path);
    const isSame =
      before?.isPresent === true && before.contentSha1 !== null && before.contentSha1 === hashFile(file.path);
    (isSame ? same : changed).push(file);
  }
  const returnedPaths = new Set(plan.returned.map((file) => file.path));
  const returned = held.filter((file) => returnedPaths.has(file.path));
  const toLoadFile = (file: FoundFile): LoadFile => ({ ...file, fileId: fileIdOf(load.machine, file.path) });
  await load.touch(same.map(toLoadFile));
  return {
    toRead: [...[...plan.toRead, ...changed].map(toLoadFile), ...returned],
    unchanged: plan.unchanged + same.length,
  };
}

async function read(
  load: Load,
  files: readonly LoadFile[],
  config: IngestConfig,
  hooks: IngestHooks,
): Promise<Reading> {
  const sizes = new Map(files.map((file) => [file.fileId, file.sizeBytes]));
  const failed: FailedFile[] = [];
  let bytesRead = 0;
  let filesDone = 0;
  await readFiles(
    files.map((file) => ({
      fileId: file.fileId,
      path: file.path,
      loadId: load.loadId,
      content: config.content,
    })),
    {
      jobs: config.jobs,
      totalBytes: files.reduce((sum, file) => sum + file.sizeBytes, 0),
      sizeOf: (request) => sizes.get(request.fileId) ?? 0,
      signal: hooks.signal,
      onBatch: (batch) => load.write(batch.table, toRecordBatch(batch)),
      onFileDone: (result) => {
        filesDone += 1;
        if (result.ok) bytesRead += result.bytesRead;
        else failed.push({ fileId: result.fileId, reason: result.reason });
        hooks.onProgress?.({ filesDone, filesTotal: files.length, bytesDone: bytesRead });
      },
    },
  );
  return { bytesRead, failed };
}

function failedWarnings(failed: readonly FailedFile[], files: readonly LoadFile[]): string[] {
  const paths = new Map(files.map((file) => [file.fileId, file.path]));
  return failed.map((file) => `${paths.get(file.fileId) ?? file.fileId}: not loaded: ${file.reason}`);
}

/** A path on a machine; the file may come and go. */
function fileIdOf(machine: string, path: string): string {
  return createHash("sha256")
    .update(JSON.stringify([machine, path]))
    .digest("hex")
    .slice(0, 24);
}

function recordOf(load: Load, config: IngestConfig, outcome: Outcome, startedAt: Date): LoadRecord {
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

function reportOf(record: LoadRecord, outcome: Outcome): LoadReport {
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
  };
}
