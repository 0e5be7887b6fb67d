import { PipelineError, safeMessage } from "../errors.js";
import { insertLoadRecord, NO_COUNTS } from "./load-record.js";
import { readSettings } from "./meta-settings.js";
import { migrate } from "./migrate.js";
import { numberOf, queryRows } from "./sql.js";
import { useThreads, type Warehouse } from "./warehouse.js";

export interface CommitOutcome {
  readonly committed: boolean;
  /** Why the write-ahead log was not folded into the file; the data is safe all the same. */
  readonly checkpoint_problem?: string;
}

const NO_FILES = { seen: 0, loaded: 0, unchanged: 0, skipped: 0, missing: 0, failed: 0 };

/**
 * Commits and reads the load's record back: after an error inside a statement DuckDB may report a commit
 * that kept nothing. Throws `FAILED` where the record is not there.
 */
export async function commit(warehouse: Warehouse, loadId: number): Promise<CommitOutcome> {
  const { connection } = warehouse;
  await connection.run("commit");
  await useThreads(connection, warehouse.threads);
  const [row] = await queryRows(
    connection,
    `select count(*) as n from base.loads where load_id = ${loadId} and status = 'succeeded'`,
  );
  if (numberOf(row, "n") !== 1)
    throw new PipelineError("FAILED", `load ${loadId} was committed but is not in ${warehouse.path}`);
  try {
    await connection.run("checkpoint warehouse");
  } catch (cause) {
    return { committed: true, checkpoint_problem: safeMessage(cause) };
  }
  return { committed: true };
}

/** Ends the transaction without keeping anything, whether or not one is open. */
export async function rollback(warehouse: Warehouse): Promise<CommitOutcome> {
  try {
    await warehouse.connection.run("rollback");
  } catch {
    // No transaction is open: an error may have ended it already.
  }
  return { committed: false };
}

/** Puts a failed run on record, in a transaction of its own; a warehouse that cannot take it stays as it is. */
export async function recordFailure(
  warehouse: Warehouse,
  options: {
    machine: string | null;
    defaultMachine: string;
    timeZone: string | null;
    defaultTimeZone: string;
    content: string;
  },
  startedAt: Date,
  toolVersion: string,
  cause: unknown,
): Promise<void> {
  const { connection } = warehouse;
  try {
    await connection.run("begin");
    await migrate(connection);
    const settings = await readSettings(connection);
    const [row] = await queryRows(connection, "select coalesce(max(load_id), 0) + 1 as id from base.loads");
    await insertLoadRecord(connection, {
      loadId: numberOf(row, "id"),
      machine: options.machine ?? settings.get("machine") ?? options.defaultMachine,
      startedAt,
      endedAt: new Date(),
      status: "failed",
      toolVersion,
      timeZone: options.timeZone ?? settings.get("time_zone") ?? options.defaultTimeZone,
      content: options.content,
      files: NO_FILES,
      counts: NO_COUNTS,
      bytesRead: 0,
      restatedCostUsd: "0",
      failureMessage: safeMessage(cause),
    });
    await connection.run("commit");
  } catch {
    await rollback(warehouse);
  }
}
