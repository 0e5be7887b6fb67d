import { PipelineError } from "./errors.js";
import type { ContentOption } from "./flow.js";
import type { Logger } from "./log.js";
import { attachWarehouse } from "./publish/attach-warehouse.js";
import { folderStore } from "./publish/folder-store.js";
import { type PublishReport, publishLake } from "./publish/publish.js";
import type { LakeStore } from "./publish/store.js";
import { toolVersion } from "./version.js";
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
  readonly memoryLimitBytes: number;
  readonly tempDir: string;
}

/** Publishes a warehouse file to a lake. */
export async function publishWarehouse(store: LakeStore, run: StandAloneRun): Promise<PublishReport> {
  const warehouse = await attachWarehouse(run);
  const interrupt = (): void => warehouse.connection.interrupt();
  run.signal.addEventListener("abort", interrupt);
  try {
    return await publishTo(store, warehouse.connection, run);
  } finally {
    run.signal.removeEventListener("abort", interrupt);
    warehouse.close();
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
