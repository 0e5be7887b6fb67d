import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { tableList } from "../../schema/index.js";
import type { Table } from "../../schema/table.js";
import { readHeader } from "./read-header.js";

/** Files of `sql/lake`, each after those it reads. */
const RESOLUTION = [
  "twin_sessions",
  "named_sessions",
  "kin_sessions",
  "kin_entries",
  "kin_keys",
  "joined_keys",
  "shown_keys",
  "shared_owners",
  "shared_records",
  "lost_entries",
  "owned_sessions",
  "claimed_children",
  "child_holds",
  "found_children",
  "found_parents",
] as const;

/** A view of a lake: `lake` holds what the machines wrote, `base` what `core` reads. */
export interface LakeView {
  readonly schema: "lake" | "base";
  readonly name: string;
  readonly query: string;
}

/**
 * Views that make the tables of several machines, `lake.<table>` with the machine as `lake_machine`, the
 * tables of one warehouse, `base.<table>`, in the order of creation. A session that several machines hold
 * keeps its key once, a record that several hold has one owner, that of the lowest `owner_rank`, and what a
 * session reports of a sub-agent counts beyond what the sub-agent's own session holds on any machine. `core`
 * and `v1` stand on them with the same text as on a warehouse, and one machine alone costs them nothing.
 */
export function lakeViews(machineCount: number): LakeView[] {
  const tables = tableList();
  if (machineCount <= 1) {
    return tables.map((table) => baseView(table, plainQuery(table)));
  }
  return [...RESOLUTION.map(readResolution), ...tables.map((table) => baseView(table, resolvedQuery(table)))];
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

function resolvedQuery(table: Table): string {
  const columns = Object.keys(table.columns).map((name) => `  ${expression(table, name)} as ${name}`);
  return `select\n${columns.join(",\n")}\nfrom\n  lake.${table.name}${joins(table)}`;
}

/** Values that a report of a sub-agent keeps in part where its session holds the rest. */
const PARTED_VALUES: ReadonlySet<string> = new Set([
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "cost_usd",
]);

/** Values of a report that say nothing of a part of it. */
const WHOLE_VALUES: ReadonlySet<string> = new Set([
  "cache_write_1h_tokens",
  "reasoning_tokens",
  "total_tokens",
  "turn_count",
  "input_cost_usd",
  "output_cost_usd",
  "cache_read_cost_usd",
  "cache_write_cost_usd",
]);

function expression({ name: table, columns }: Table, column: string): string {
  const own = `${table}.${column}`;
  if (column === "session_key") return shownKey(table);
  if (column === "record_key") return `coalesce(shown_keys.record_key, ${own})`;
  if (column === "is_copy" && "entry_seq" in columns) return `(${own} or ${IS_LOST})`;
  if (table === "usage") return usageExpression(column);
  if (table === "sessions") return sessionExpression(column);
  switch (own) {
    case "entries.is_abandoned":
      return `coalesce(shared_records.is_abandoned, ${own})`;
    case "entries.owner_session_key":
      return `coalesce(shared_records.owner_session_key, case when ${own} = entries.session_key then ${shownKey(table)} else ${own} end)`;
    default:
      return own;
  }
}

const IS_LOST = "lost_entries.entry_seq is not null";

function shownKey(table: string): string {
  return `coalesce(twin_sessions.shown_session_key, ${table}.session_key)`;
}

function usageExpression(column: string): string {
  const own = `usage.${column}`;
  const isHeld = "coalesce(found_children.is_held_whole, false)";
  const isParted = `coalesce(not found_children.is_held_whole, false)`;
  if (PARTED_VALUES.has(column)) {
    return `case when ${isParted} then found_children.left_${column} else ${own} end`;
  }
  if (WHOLE_VALUES.has(column)) return `case when not ${isParted} then ${own} end`;
  switch (column) {
    case "child_session_key":
      return `coalesce(${own}, found_children.child_session_key)`;
    case "is_counted":
      return `(${own} and not (${IS_LOST}) and not ${isHeld})`;
    case "not_counted_reason":
      return `case when ${IS_LOST} then 'copy' when ${isHeld} and usage.source = 'subagent' then 'child_session' when ${isHeld} then 'reported_in_children' else ${own} end`;
    default:
      return own;
  }
}

function sessionExpression(column: string): string {
  const own = `sessions.${column}`;
  switch (column) {
    case "parent_link":
      return `case when sessions.parent_session_key is null then coalesce(found_parents.parent_link, ${own}) else ${own} end`;
    case "parent_session_key":
    case "subagent_name":
      return `coalesce(${own}, found_parents.${column})`;
    case "root_session_key":
      return `coalesce(found_roots.root_session_key, ${own})`;
    case "generation":
      return `(${own} + coalesce(found_roots.parent_generation + 1, 0))::integer`;
    case "is_copy_only":
      return `(${own} or (coalesce(owned_sessions.owned_count, 0) = 0 and (owned_sessions.session_key is not null or twin_sessions.session_key is not null)))`;
    default:
      return own;
  }
}

function joins({ name: table, columns }: Table): string {
  const lines: string[] = [];
  const join = (view: string, terms: readonly string[], alias = view): void => {
    lines.push(`\n  left join lake.${view} as ${alias} on ${terms.join("\n    and ")}`);
  };
  const same = (view: string, names: readonly string[]): string[] =>
    names.map((column) => `${view}.${column} = ${table}.${column}`);

  if ("session_key" in columns) join("twin_sessions", same("twin_sessions", ["lake_machine", "session_key"]));
  if ("entry_seq" in columns) {
    join("lost_entries", same("lost_entries", ["lake_machine", "session_key", "entry_seq"]));
    join("shown_keys", [`shown_keys.held_record_key = ${table}.record_key`]);
  }
  if (table === "entries") {
    join("shared_records", [
      "shared_records.record_key = coalesce(shown_keys.record_key, entries.record_key)",
    ]);
  }
  if (table === "usage") {
    join("found_children", same("found_children", ["lake_machine", "session_key", "entry_seq", "usage_seq"]));
  }
  if (table === "sessions") {
    join("found_parents", ["found_parents.session_key = sessions.session_key"]);
    join("found_parents", ["found_roots.session_key = sessions.root_session_key"], "found_roots");
    join("owned_sessions", same("owned_sessions", ["lake_machine", "session_key"]));
  }
  return lines.join("");
}
