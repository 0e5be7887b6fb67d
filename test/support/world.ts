import type { DuckDBConnection } from "@duckdb/node-api";

import { applyViews } from "../../pipeline/views/apply-views.js";
import { type TreeEntry, treeRows } from "./tree-rows.js";
import { insertRows, type LooseRow, openEmptyWarehouse } from "./warehouse-rows.js";

/** A warehouse with the views of the package and rows that a test adds by hand. */
export interface World {
  readonly connection: DuckDBConnection;
  /** A session whose file is on disk, with its entries. */
  readonly session: (key: string, entries: readonly TreeEntry[], columns?: LooseRow) => Promise<void>;
  readonly messages: (rows: readonly LooseRow[]) => Promise<void>;
  readonly calls: (rows: readonly LooseRow[]) => Promise<void>;
  readonly usage: (rows: readonly LooseRow[]) => Promise<void>;
}

/** Project of every session that names no other. */
export const PROJECT = "/home/ada/shop";

let shared: DuckDBConnection | null = null;

/**
 * An empty world. The views are made once a test file: each world is a transaction that the next one rolls
 * back, so only the latest is of use.
 */
export async function openWorld(): Promise<World> {
  if (shared === null) {
    shared = await openEmptyWarehouse();
    await applyViews(shared);
  } else {
    await shared.run("rollback");
  }
  const connection = shared;
  await connection.run("begin");
  return {
    connection,
    session: async (key, entries, columns = {}) => {
      await insertRows(connection, "sessions", [sessionRow(key, entries, columns)]);
      if (entries.length > 0) await insertRows(connection, "entries", treeRows(key, entries));
    },
    messages: (rows) => insertRows(connection, "messages", rows.map(withKeys)),
    calls: (rows) => insertRows(connection, "tool_calls", rows.map(withKeys)),
    usage: (rows) => insertRows(connection, "usage", rows.map(withMoney)),
  };
}

function sessionRow(key: string, entries: readonly TreeEntry[], columns: LooseRow): LooseRow {
  return {
    session_key: key,
    base_session_key: key,
    session_id: `id-of-${key}`,
    file_id: `file-of-${key}`,
    machine: "desk",
    path: `/sessions/${key}.jsonl`,
    is_present: true,
    format_version: 3,
    project_path: PROJECT,
    project_name: "shop",
    root_session_key: key,
    leaf_entry_id: entries.at(-1)?.id ?? null,
    leaf_entry_seq: entries.length === 0 ? null : entries.length,
    record_count: entries.length,
    ...columns,
  };
}

function withKeys(row: LooseRow): LooseRow {
  const entryId = row["entry_id"] ?? `${row["session_key"]}-${row["entry_seq"]}`;
  return { record_key: entryId, entry_id: entryId, is_present: true, occurred_on: "2026-01-05", ...row };
}

/** A counted reply of model good from acme, unless the row says otherwise. */
function withMoney(row: LooseRow): LooseRow {
  const source = row["source"] ?? "assistant";
  return withKeys({
    source,
    request_count: source === "assistant" ? 1 : 0,
    provider: "acme",
    model_id: "good",
    occurred_at: "2026-01-05 09:00:00+00",
    cost_status: "recorded",
    is_counted: row["not_counted_reason"] === undefined,
    ...row,
  });
}
