import { PipelineError } from "./errors.js";
import type { ContentOption } from "./flow.js";
import type { Logger } from "./log.js";
import { attachWarehouse } from "./publish/attach-warehouse.js";
import { folderStore } from "./publish/folder-store.js";
import { type PublishReport, publishLake } from "./publish/publish.js";
import { writeServing } from "./publish/serving.js";
import type { LakeStore } from "./publish/store.js";
import { toolVersion } from "./version.js";
import { applyViews } from "./views/apply-views.js";
import { orderViews } from "./views/order-views.js";
import { CONTRACT_VERSION, readViews } from "./views/read-views.js";

/** The connection of a stage that works with DuckDB; only stages name its package. */
type Connection = Parameters<typeof publishLake>[0];

export interface PublishRun {
  readonly dbPath: string;
  readonly content: ContentOption;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Publishes a warehouse that the connection has attached as `warehouse`. Throws `ABORTED` where the run was
 * stopped.
 */
export async function publishTo(
  store: LakeStore,
  connection: Connection,
  { dbPath, content, log, signal }: PublishRun,
): Promise<PublishReport> {
  try {
    const report = await publishLake(connection, store, {
      dbPath,
      content,
      signal,
      views: orderViews(readViews()),
      contractVersion: CONTRACT_VERSION,
      toolVersion: toolVersion(),
      onFile: ({ path, rows, bytes }) => log.debug({ path, rows, bytes }, "file written"),
    });
    log.info({ place: report.place, ...report.files, bytes_written: report.bytes_written }, "published");
    return report;
  } catch (cause) {
    if (signal.aborted) {
      throw new PipelineError("ABORTED", "stopped; the lake stays as it was before this run", { cause });
    }
    throw cause;
  }
}

export interface StandAloneRun extends PublishRun {
  /** Null where only a copy is wanted. */
  readonly store: LakeStore | null;
  /** File of a copy for readers, null for none. */
  readonly servingPath: string | null;
  readonly memoryLimitBytes: number;
  readonly tempDir: string;
}

export interface Published {
  readonly lake: PublishReport | null;
  /** Null where none is wanted, else whether it had to be written. */
  readonly isServingWritten: boolean | null;
}

/** Publishes a warehouse file to a lake, or as a copy for readers, or both. */
export async function publishWarehouse(run: StandAloneRun): Promise<Published> {
  const warehouse = await attachWarehouse(run);
  const interrupt = (): void => warehouse.connection.interrupt();
  run.signal.addEventListener("abort", interrupt);
  try {
    const lake = run.store === null ? null : await publishTo(run.store, warehouse.connection, run);
    return { lake, isServingWritten: await serve(warehouse.connection, run) };
  } finally {
    run.signal.removeEventListener("abort", interrupt);
    warehouse.close();
  }
}

async function serve(
  connection: Connection,
  { dbPath, content, servingPath, log, signal }: StandAloneRun,
): Promise<boolean | null> {
  if (servingPath === null) return null;
  try {
    const isWritten = await writeServing(connection, {
      dbPath,
      path: servingPath,
      content,
      views: orderViews(readViews()),
      toolVersion: toolVersion(),
      applyViews,
    });
    log.info({ path: servingPath, written: isWritten }, "copy for readers");
    return isWritten;
  } catch (cause) {
    if (signal.aborted) {
      throw new PipelineError("ABORTED", "stopped; the copy for readers stays as it was", { cause });
    }
    throw cause;
  }
}

/** Brings a folder up to the load that has just been committed. The load stands even where this fails. */
export async function publishLoad(folder: string, connection: Connection, run: PublishRun): Promise<void> {
  try {
    await publishTo(folderStore(folder), connection, run);
  } catch (cause) {
    if (!(cause instanceof PipelineError)) throw cause;
    throw new PipelineError(cause.code, `loaded, but not published: ${cause.message}`, { cause });
  }
}
