import { chmodSync, existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteText } from "../../schema/ddl.js";

/**
 * Row groups of 20,480 rows, written out one by one, keep memory small, and zstd needs a storage version of
 * its own choosing (load-path section 3). Both are options of `attach`.
 */
export const NEW_FILE_OPTIONS = "row_group_size 20480, storage_version 'v1.2.0'";

/**
 * Makes an empty warehouse file. DuckDB writes a new file in several steps, and one that is killed between
 * them leaves a file that opens no more (tried: 8,192 of 12,288 bytes), so the file gets its name when it is
 * whole. Where another process was quicker, its file stays.
 */
export async function createWarehouseFile(connection: DuckDBConnection, path: string): Promise<void> {
  // Of its own length: with an ending, the longest name that a disk allows would become too long.
  const draftPath = join(dirname(path), `.piquet-${process.pid}.new`);
  rmSync(draftPath, { force: true });
  try {
    await connection.run(`attach ${quoteText(draftPath)} as new_warehouse (${NEW_FILE_OPTIONS})`);
    await connection.run("detach new_warehouse");
    chmodSync(draftPath, 0o600);
    putInPlace(draftPath, path);
  } finally {
    rmSync(draftPath, { force: true });
  }
}

/** A link, unlike a rename, never takes the place of a file that came meanwhile; not every disk has links. */
function putInPlace(draftPath: string, path: string): void {
  try {
    linkSync(draftPath, path);
  } catch {
    if (!existsSync(path)) renameSync(draftPath, path);
  }
}
