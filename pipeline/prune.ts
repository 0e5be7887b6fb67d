import { PipelineError } from "./errors.js";
import type { ContentOption } from "./flow.js";
import type { IngestHooks } from "./hooks.js";
import { type CompactOutcome, compactIfWasteful } from "./load/compact.js";
import { asFileFault } from "./load/file-fault.js";
import { countPrunable, pruneText } from "./load/forget.js";
import { interruptOn } from "./load/interrupt.js";
import { readSettings } from "./load/meta-settings.js";
import { migrate } from "./load/migrate.js";
import { setTimeZone } from "./load/time-zone.js";
import { rollback } from "./load/transaction.js";
import { openWarehouse, type Warehouse } from "./load/warehouse.js";
import { publishLoad } from "./publish-warehouse.js";
import { applyViews } from "./views/apply-views.js";

export interface PruneConfig {
  readonly dbPath: string;
  /** Folder whose Parquet files follow the warehouse, as with a load. */
  readonly parquetDir: string | null;
  /** Text of days before this one goes: `YYYY-MM-DD`, in the warehouse's zone. */
  readonly before: string;
  readonly isDryRun: boolean;
  readonly memoryBytes: number;
  readonly threads: number;
}

/** Outcome of a run, printed by `prune --json`. */
export interface PruneReport {
  readonly before: string;
  readonly is_dry_run: boolean;
  /** Rows that lost text, or would, by table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly bytes_before: number | null;
  readonly bytes_after: number | null;
  readonly duration_ms: number;
}

interface Pruned {
  readonly rows: PruneReport["rows"];
  readonly content: ContentOption;
}

/**
 * Takes the text of old days out of an existing warehouse, in one transaction, and writes the file anew, so
 * that nothing of it is left. Throws what `openWarehouse` throws, and `ABORTED`; nothing is changed then.
 */
export async function prune(config: PruneConfig, hooks: IngestHooks): Promise<PruneReport> {
  const startedAt = performance.now();
  const warehouse = await openWarehouse({ ...config, path: config.dbPath });
  try {
    const { rows, content } = await pruneRows(warehouse, config, hooks.signal);
    hooks.log.info({ before: config.before, rows }, config.isDryRun ? "would be pruned" : "pruned");
    const written = config.isDryRun ? null : await writeOut(warehouse, config, content, hooks);
    return {
      before: config.before,
      is_dry_run: config.isDryRun,
      rows,
      bytes_before: written?.bytes_before ?? null,
      bytes_after: written?.bytes_after ?? null,
      duration_ms: Math.round(performance.now() - startedAt),
    };
  } finally {
    warehouse.close();
  }
}

async function pruneRows(
  warehouse: Warehouse,
  { before, isDryRun }: PruneConfig,
  signal: AbortSignal,
): Promise<Pruned> {
  const { connection } = warehouse;
  const letGo = interruptOn(signal, connection);
  try {
    await connection.run("begin");
    await migrate(connection);
    await applyViews(connection);
    const settings = await readSettings(connection);
    await setTimeZone(connection, settings.get("time_zone") ?? "UTC");
    const rows = isDryRun ? await countPrunable(connection, before) : await pruneText(connection, before);
    letGo();
    signal.throwIfAborted();
    if (isDryRun) await rollback(warehouse);
    else await connection.run("commit");
    return { rows, content: settings.get("content") === "none" ? "none" : "full" };
  } catch (cause) {
    letGo();
    await rollback(warehouse);
    if (signal.aborted) throw new PipelineError("ABORTED", "stopped; nothing was pruned", { cause });
    throw asFileFault(warehouse.path, cause);
  }
}

async function writeOut(
  warehouse: Warehouse,
  { parquetDir, dbPath }: PruneConfig,
  content: ContentOption,
  { log, signal }: IngestHooks,
): Promise<CompactOutcome | null> {
  try {
    await warehouse.connection.run("checkpoint warehouse");
  } catch {
    // The rows are committed; the file is then not written anew, which is told below.
  }
  if (parquetDir !== null) {
    await publishLoad(parquetDir, warehouse.connection, { dbPath, content, log, signal });
  }
  const written = await compactIfWasteful(warehouse, signal);
  if (written?.compact_problem !== undefined) {
    log.warn(
      { ...written },
      "the file could not be written anew and may still hold bytes of what was pruned; the next load tries again",
    );
  }
  return written;
}
