import { readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Where DuckDB puts what does not fit into its memory; it makes the folder when it needs one, and removes it. */
export function spillFolder(path: string): string {
  return `${path}.tmp`;
}

/**
 * Removes what a killed run spilled, which can be text of sessions. Whoever has the warehouse open for
 * writing has the folder to itself.
 */
export function clearSpillFolder(path: string): void {
  const folder = spillFolder(path);
  try {
    for (const name of readdirSync(folder)) if (name.startsWith("duckdb_temp_")) rmSync(join(folder, name));
    rmdirSync(folder);
  } catch {
    // It is not there, as nearly always, or it holds files of somebody else.
  }
}
