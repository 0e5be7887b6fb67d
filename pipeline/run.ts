import { existsSync, rmSync } from "node:fs";
import { TRANSFORM_VERSION } from "../schema/index.js";
import type { IngestConfig } from "./config.js";
import { type Discovery, discoverFiles } from "./discover/discover.js";
import { planFiles } from "./discover/file-state.js";
import { PipelineError } from "./errors.js";
import type { LoadReport } from "./flow.js";
import type { IngestHooks } from "./hooks.js";
import { compactIfWasteful } from "./load/compact.js";
import { asFileFault, WarehouseDamaged } from "./load/file-fault.js";
import { interruptOn } from "./load/interrupt.js";
import { beginLoad, type Load } from "./load/load.js";
import { insertLoadRecord, readCounts, rejectWarnings, restatedCost } from "./load/load-record.js";
import { mapProjects } from "./load/map-projects.js";
import { applyEstimates } from "./load/prices/estimates.js";
import { findModelsFiles } from "./load/prices/models-files.js";
import { type CommitOutcome, commit, recordFailure, rollback } from "./load/transaction.js";
import { openWarehouse, type Warehouse } from "./load/warehouse.js";
import { type Outcome, recordOf, reportOf } from "./load-report.js";
import { publishLoad } from "./publish-warehouse.js";
import { decideChanged, failedWarnings, fileIdOf, readChanged } from "./read-changed.js";
import { toolVersion } from "./version.js";
import { applyViews } from "./views/apply-views.js";
import { runChecks } from "./views/run-checks.js";

/** What a run knows before it opens the warehouse. */
interface Found {
  readonly discovery: Discovery;
  readonly modelsPaths: readonly string[];
  readonly startedAt: Date;
}

/**
 * Runs the pipeline once: discover, extract, transform, load, views, in one transaction, then publishes it
 * where Parquet was asked for. Throws a `PipelineError` when nothing was committed; the failure is then on
 * record in `base.loads`, as far as the warehouse could be opened. A load that cannot be published stands.
 */
export async function ingest(config: IngestConfig, hooks: IngestHooks): Promise<LoadReport> {
  const startedAt = new Date();
  const modelsPaths = findModelsFiles(config.roots, config.agentDir, config.modelsPath);
  const discovery = discoverFiles(config.roots, { withArchives: config.withArchives });
  hooks.log.info({ files: discovery.files.length, unreadable: discovery.unreadable.length }, "discovered");
  const isNew = !existsSync(config.dbPath);
  const warehouse = await openWarehouse({
    path: config.dbPath,
    memoryBytes: config.memoryBytes,
    threads: Math.max(config.jobs, 1),
  });
  const interrupt = (): void => warehouse.connection.interrupt();
  try {
    const report = await runLoad(warehouse, config, hooks, { discovery, modelsPaths, startedAt });
    if (config.parquetDir !== null && !config.isDryRun) {
      hooks.signal.addEventListener("abort", interrupt);
      await publishLoad(config.parquetDir, warehouse.connection, { ...config, ...hooks });
    }
    if (!config.isDryRun) await compact(warehouse, hooks);
    return report;
  } finally {
    hooks.signal.removeEventListener("abort", interrupt);
    warehouse.close();
    if (config.isDryRun && isNew) rmSync(config.dbPath, { force: true });
  }
}

async function compact(warehouse: Warehouse, { log, signal }: IngestHooks): Promise<void> {
  const outcome = await compactIfWasteful(warehouse, signal);
  if (outcome?.compact_problem !== undefined) log.warn(outcome, "the warehouse could not be written anew");
  else if (outcome !== null) log.info(outcome, "the warehouse was written anew");
}

async function runLoad(
  warehouse: Warehouse,
  config: IngestConfig,
  hooks: IngestHooks,
  found: Found,
): Promise<LoadReport> {
  const { startedAt } = found;
  const letGo = interruptOn(hooks.signal, warehouse.connection);
  try {
    const load = await beginLoad(warehouse, config);
    const outcome = await fillLoad(load, config, hooks, found);
    const record = recordOf(load, config, outcome, startedAt);
    await insertLoadRecord(load.connection, record);
    // From here on a signal comes too late: what is committed must be told as committed.
    letGo();
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
    letGo();
    await rollback(warehouse);
    const failure = hooks.signal.aborted
      ? new PipelineError("ABORTED", "stopped; nothing of this run was kept", { cause })
      : asFileFault(warehouse.path, cause);
    if (!config.isDryRun && !(failure instanceof WarehouseDamaged))
      await recordFailure(warehouse, config, startedAt, toolVersion(), failure);
    throw failure;
  }
}

async function fillLoad(
  load: Load,
  config: IngestConfig,
  hooks: IngestHooks,
  found: Found,
): Promise<Outcome> {
  const { discovery, modelsPaths, startedAt } = found;
  const held = await load.heldFiles();
  const plan = planFiles(discovery, held, { ...config, transformVersion: TRANSFORM_VERSION });
  const { toRead, unchanged } = await decideChanged(load, plan, held);
  const missing = plan.missing.map((file) => fileIdOf(load.machine, file.path));
  hooks.log.info({ to_read: toRead.length, unchanged, missing: missing.length }, "planned");

  await load.expect(toRead, missing);
  const reading = await readChanged(load, toRead, config, hooks);
  hooks.log.info({ bytes_read: reading.bytesRead, failed: reading.failed.length }, "read");
  const isChanged = toRead.length > 0 || missing.length > 0;
  if (isChanged) await load.settle(reading.failed);
  await load.forget();

  const estimates = await applyEstimates(load.connection, {
    modelsPaths,
    rowsChanged: toRead.length > 0,
  });
  await mapProjects(load.connection, { rules: config.projects, sessionsChanged: isChanged });
  await applyViews(load.connection);
  const checks = isChanged ? await runChecks(load.connection, { onlyCheap: true }) : [];
  const failedChecks = checks.filter((check) => check.rowCount > 0).map((check) => check.name);
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
      ...failedChecks.map((name) => `check ${name} found rows; see piquet check`),
    ],
    failedChecks,
    restatedCostUsd: await restatedCost(load.connection, startedAt, load.isFirst),
  };
}
