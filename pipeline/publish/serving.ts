import { chmodSync, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { createTableSql, quoteText } from "../../schema/ddl.js";
import { tableList } from "../../schema/index.js";
import { PipelineError } from "../errors.js";
import type { ContentOption } from "../flow.js";
import { flush, makeFolder } from "./folder-store.js";
import { UNFINISHED } from "./names.js";
import {
  closePublished,
  openPublished,
  type PackageView,
  PUBLISHED,
  WAREHOUSE,
} from "./published-database.js";
import { readValue } from "./sql.js";
import { readFacts, type WarehouseFacts } from "./warehouse-facts.js";

export interface ServingOptions {
  readonly dbPath: string;
  /** File of the copy; it is replaced whole. */
  readonly path: string;
  readonly content: ContentOption;
  readonly views: readonly PackageView[];
  readonly toolVersion: string;
  /** Makes the views, with their comments, in the database in use. */
  readonly applyViews: (connection: DuckDBConnection) => Promise<void>;
}

const SERVING = "serving";
/** Setting of a copy that tells what it is a copy of. */
const COPY_OF = "copy_of";
/** As a warehouse has them: small row groups, and a version that knows zstd. */
const ATTACH_OPTIONS = "row_group_size 20480, storage_version 'v1.2.0'";

/**
 * Writes a copy of the attached warehouse that readers can open while loads go on, and puts it in place by
 * rename: whoever has the old one open keeps it. Does nothing where the copy is of the same load. Throws
 * `USAGE` where the path holds another file. Gives true where a copy was written.
 */
export async function writeServing(connection: DuckDBConnection, options: ServingOptions): Promise<boolean> {
  const facts = await readFacts(connection, options.dbPath);
  const mark = markOf(facts, options);
  if ((await markOfCopy(connection, options)) === mark) return false;
  makeFolder(dirname(options.path));
  const draft = options.path + UNFINISHED;
  for (const path of [draft, `${draft}.wal`]) rmSync(path, { force: true });
  await openPublished(connection, options.content, options.views);
  try {
    await connection.run(`attach ${quoteText(draft)} as ${SERVING} (${ATTACH_OPTIONS})`);
    try {
      await fill(connection, mark, options);
    } finally {
      await connection.run(`use ${PUBLISHED}`);
      await connection.run(`detach ${SERVING}`);
    }
  } finally {
    await closePublished(connection);
  }
  chmodSync(draft, modeOf(options.path));
  flush(draft);
  renameSync(draft, options.path);
  flush(dirname(options.path));
  return true;
}

/** The mode that somebody gave the copy before, else for its owner alone. */
function modeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 0o600 : stats.mode & 0o777;
}

function markOf(facts: WarehouseFacts, { content, toolVersion }: ServingOptions): string {
  return [facts.warehouseId, facts.loadId, content, toolVersion].join(" ");
}

/** Null where there is no file yet. */
async function markOfCopy(
  connection: DuckDBConnection,
  { path, dbPath }: ServingOptions,
): Promise<string | null> {
  if (!existsSync(path)) return null;
  const [copy, warehouse] = [statSync(path), statSync(dbPath)];
  const refusal = new PipelineError("USAGE", `${path} is no copy that this program made; it stays as it is`);
  if (!copy.isFile() || (copy.ino === warehouse.ino && copy.dev === warehouse.dev)) throw refusal;
  try {
    await connection.run(`attach ${quoteText(path)} as ${SERVING} (read_only)`);
  } catch {
    throw refusal;
  }
  try {
    return await readValue(connection, `select value from ${SERVING}.meta.settings where key = '${COPY_OF}'`);
  } catch {
    throw refusal;
  } finally {
    await connection.run(`detach ${SERVING}`);
  }
}

async function fill(
  connection: DuckDBConnection,
  mark: string,
  { applyViews }: ServingOptions,
): Promise<void> {
  await connection.run(`use ${SERVING}`);
  await connection.run("begin");
  await connection.run("create schema base; create schema meta");
  await connection.run("create table meta.settings (key varchar not null, value varchar not null)");
  await connection.run(`insert into meta.settings select key, value from ${WAREHOUSE}.meta.settings`);
  await connection.run(`insert into meta.settings values ('${COPY_OF}', ${quoteText(mark)})`);
  for (const table of tableList()) {
    await connection.run(createTableSql(table, "base"));
    await connection.run(`insert into base.${table.name} from ${PUBLISHED}.base.${table.name}`);
  }
  await applyViews(connection);
  await connection.run("commit");
  await connection.run(`checkpoint ${SERVING}`);
}
