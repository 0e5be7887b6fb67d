import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { tableList } from "../../schema/index.js";
import type { Table } from "../../schema/table.js";
import { readHeader } from "./read-header.js";

/** Files of `sql/lake`, each after those it reads. */
const RESOLUTION = ["twin_sessions", "shared_owners", "shared_records", "lost_entries"] as const;

/** A view of a lake: `lake` holds what the machines wrote, `base` what `core` reads. */
export interface LakeView {
  readonly schema: "lake" | "base";
  readonly name: string;
  readonly query: string;
}

/**
 * Views that make the tables of several machines, `lake.<table>`, the tables of one warehouse,
 * `base.<table>`, in the order of creation. A session that several machines hold keeps its key once, and a
 * record that several hold has one owner, that of the lowest `owner_rank`. `core` and `v1` stand on them with
 * the same text as on a warehouse, and one machine alone costs them nothing.
 */
export function lakeViews(machineCount: number): LakeView[] {
  const tables = tableList();
  if (machineCount <= 1) {
    return tables.map((table) => baseView(table, plainQuery(table)));
  }
  // `base.sessions` counts what `base.entries` leaves a session.
  const inOrder = [...tables.filter(isNoSession), ...tables.filter((table) => !isNoSession(table))];
  return [
    ...RESOLUTION.map(readResolution),
    ...inOrder.map((table) => baseView(table, resolvedQuery(table))),
  ];
}

function readResolution(name: string): LakeView {
  const path = fileURLToPath(import.meta.resolve(`#sql/lake/${name}.sql`));
  return { schema: "lake", name, query: readHeader(readFileSync(path, "utf8"), path).query };
}

function baseView({ name }: Table, query: string): LakeView {
  return { schema: "base", name, query };
}

function plainQuery({ name, columns }: Table): string {
  const list = Object.keys(columns).map((column) => `  ${name}.${column}`);
  return `select\n${list.join(",\n")}\nfrom\n  lake.${name}`;
}

const isNoSession = (table: Table): boolean => table.name !== "sessions";

function resolvedQuery(table: Table): string {
  const columns = Object.keys(table.columns).map((name) => `  ${expression(table, name)} as ${name}`);
  return `select\n${columns.join(",\n")}\nfrom\n  lake.${table.name}${joins(table)}`;
}

function expression({ name: table, columns }: Table, column: string): string {
  const own = `${table}.${column}`;
  const shownKey = `coalesce(twin_sessions.shown_session_key, ${table}.session_key)`;
  const isLost = "lost_entries.entry_seq is not null";

  if (column === "session_key") return shownKey;
  if (column === "is_copy" && "entry_seq" in columns) return `(${own} or ${isLost})`;
  switch (own) {
    case "usage.is_counted":
      return `(${own} and not (${isLost}))`;
    case "usage.not_counted_reason":
      return `case when ${isLost} then 'copy' else ${own} end`;
    case "entries.is_abandoned":
      return `coalesce(shared_records.is_abandoned, ${own})`;
    case "entries.owner_session_key":
      return `coalesce(shared_records.owner_session_key, case when ${own} = entries.session_key then ${shownKey} else ${own} end)`;
    case "sessions.is_copy_only":
      return `(${own} or (coalesce(owned.owned_count, 0) = 0 and (owned.session_key is not null or twin_sessions.session_key is not null)))`;
    default:
      return own;
  }
}

function joins({ name: table, columns }: Table): string {
  const lines: string[] = [];
  if ("session_key" in columns) lines.push(joinOn("lake.twin_sessions", table, ["session_key", "file_id"]));
  if ("entry_seq" in columns) {
    lines.push(joinOn("lake.lost_entries", table, ["session_key", "file_id", "entry_seq"]));
  }
  if (table === "entries") lines.push(joinOn("lake.shared_records", table, ["record_key"]));
  if (table === "sessions") {
    lines.push(
      `\n  left join (
    select entries.session_key as session_key, count(*) filter (where not entries.is_copy) as owned_count
    from base.entries group by entries.session_key
  ) as owned on owned.session_key = coalesce(twin_sessions.shown_session_key, sessions.session_key)`,
    );
  }
  return lines.join("");
}

function joinOn(view: string, table: string, columns: readonly string[]): string {
  const alias = view.replace("lake.", "");
  const terms = columns.map((column) => `${alias}.${column} = ${table}.${column}`);
  return `\n  left join ${view} on ${terms.join("\n    and ")}`;
}
