import { entries } from "./entries.js";
import { files } from "./files.js";
import { loads } from "./loads.js";
import { messages } from "./messages.js";
import { rejects } from "./rejects.js";
import { sessions } from "./sessions.js";
import { entryLinks } from "./stage/entry-links.js";
import { lateResults } from "./stage/late-results.js";
import { retries } from "./stage/retries.js";
import type { Table } from "./table.js";
import { toolCalls } from "./tool_calls.js";
import { usage } from "./usage.js";

/** Version of the base tables; a warehouse of a higher one is refused. */
export const SCHEMA_VERSION = 1;

/** Version of the reading rules; files read with another are read again. */
export const TRANSFORM_VERSION = 1;

/** Tables of schema `base`, in load order. */
export const tables = {
  files,
  sessions,
  entries,
  messages,
  tool_calls: toolCalls,
  usage,
  rejects,
  loads,
} as const;

/** What a reader of files hands over: rows of base tables, and narrow rows that SQL joins to them. */
export const batchTables = {
  files,
  sessions,
  entries,
  messages,
  tool_calls: toolCalls,
  usage,
  rejects,
  entry_links: entryLinks,
  retries,
  late_results: lateResults,
} as const;

export type TableName = keyof typeof tables;
export type BatchTableName = keyof typeof batchTables;

export function tableList(): readonly Table[] {
  return Object.values(tables);
}
