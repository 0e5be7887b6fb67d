import type { DuckDBConnection } from "@duckdb/node-api";
import type { ContentOption } from "../flow.js";
import { requestCompaction } from "./compact.js";
import { readSettings, writeSetting } from "./meta-settings.js";
import { countText, type ScrubCounts, type ScrubScope, scrub } from "./scrub.js";

/** Day before which no row may have text; set by a prune, obeyed by every load. */
const PRUNED_BEFORE = "pruned_before";
/** Content option of the latest load. */
const CONTENT = "content";

/**
 * Takes out the text that a load may not leave behind: with `none` that of all rows, once, those of gone files
 * included; else that of days before the one that the warehouse was pruned to, in the rows of this load,
 * which may have brought it back. Where the zone changed, days did too, and all rows are looked at.
 */
export async function forgetText(
  connection: DuckDBConnection,
  { content, isZoneChanged }: { content: ContentOption; isZoneChanged: boolean },
): Promise<void> {
  const settings = await readSettings(connection);
  const before = settings.get(PRUNED_BEFORE);
  if (content === "none" && settings.get(CONTENT) !== "none") {
    await scrub(connection, { before: null, isThisLoad: false });
    // Rows that this load read anew have lost their text too, and left its bytes behind.
    if (settings.has(CONTENT)) await requestCompaction(connection);
  } else if (before !== undefined && isZoneChanged) {
    await scrubForGood(connection, { before, isThisLoad: false });
  } else if (before !== undefined) {
    await scrub(connection, { before, isThisLoad: true });
  }
  if (settings.get(CONTENT) !== content) await writeSetting(connection, CONTENT, content);
}

/**
 * Takes out the text of all days before this one, and of those that later loads bring. An earlier day than
 * that of a prune before changes nothing.
 */
export async function pruneText(connection: DuckDBConnection, before: string): Promise<ScrubCounts> {
  const held = (await readSettings(connection)).get(PRUNED_BEFORE);
  if (held === undefined || held < before) await writeSetting(connection, PRUNED_BEFORE, before);
  return scrubForGood(connection, { before, isThisLoad: false });
}

/** Rows whose text `pruneText` would take out. */
export async function countPrunable(connection: DuckDBConnection, before: string): Promise<ScrubCounts> {
  return countText(connection, { before, isThisLoad: false });
}

/** The bytes of what is gone from a table stay in the file until it is written anew. */
async function scrubForGood(connection: DuckDBConnection, scope: ScrubScope): Promise<ScrubCounts> {
  const counts = await scrub(connection, scope);
  if (Object.keys(counts).length > 0) await requestCompaction(connection);
  return counts;
}
