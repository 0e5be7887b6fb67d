import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteName } from "../../schema/ddl.js";
import { type Relation, relationName } from "./relations.js";
import { readRows } from "./sql.js";

/** Rows of a relation that share a file. */
export interface Part {
  readonly relation: Relation;
  /** YYYY-MM, `unknown`, or null for relations that are not split. */
  readonly month: string | null;
  readonly rows: number;
  readonly fingerprint: string;
}

const UNKNOWN_MONTH = "unknown";

/** Folder of a part in the lake, ending in a slash. */
export function partFolder({ relation, month }: Part): string {
  const folder = `${relation.schema}/${relation.name}/`;
  return month === null ? folder : `${folder}month=${month}/`;
}

/** The parts that a relation has now; one without rows where it has none, so that its columns stay known. */
export async function readParts(connection: DuckDBConnection, relation: Relation): Promise<Part[]> {
  const { timeColumn } = relation;
  const month =
    timeColumn === null
      ? "null"
      : `coalesce(strftime(${quoteName(timeColumn)}, '%Y-%m'), '${UNKNOWN_MONTH}')`;
  const columns = relation.columns.map((column) => quoteName(column.name)).join(", ");
  const rows = await readRows(
    connection,
    `select ${month} as month, count(*)::varchar, bit_xor(hash(${columns}))::varchar, sum(hash(${columns}))::varchar
     from ${relationName(relation)} group by 1 order by 1`,
  );
  const parts = rows.map(([found, count, xor, sum]) => ({
    relation,
    month: found ?? null,
    rows: Number(count),
    fingerprint: `${count}-${xor}-${sum}`,
  }));
  if (parts.length > 0) return parts;
  return [{ relation, month: timeColumn === null ? null : UNKNOWN_MONTH, rows: 0, fingerprint: "0" }];
}

/** Query of a part's rows in the order of its file. */
export function partQuery({ relation, month }: Part): string {
  const own = relation.name;
  const columns = relation.columns.map((column) => `${own}.${quoteName(column.name)}`);
  const join = relation.isSortedBySession
    ? ` left join base.sessions on sessions.session_key = ${own}.session_key`
    : "";
  const where =
    relation.timeColumn === null || month === null
      ? ""
      : ` where ${monthFilter(`${own}.${quoteName(relation.timeColumn)}`, month)}`;
  const order = relation.order.map((expression) => `${qualified(own, expression)} nulls last`);
  return `select ${columns.join(", ")} from ${relationName(relation)} as ${own}${join}${where} order by ${order.join(", ")}`;
}

function qualified(own: string, expression: string): string {
  if (expression.includes(".")) return expression;
  return expression.startsWith("cast(")
    ? expression.replace("cast(", `cast(${own}.`)
    : `${own}.${expression}`;
}

/** Bounds instead of the month's name, so that DuckDB skips row groups of other months. */
function monthFilter(column: string, month: string): string {
  if (month === UNKNOWN_MONTH) return `${column} is null`;
  const [year = 0, number = 0] = month.split("-").map(Number);
  const next = number === 12 ? [year + 1, 1] : [year, number + 1];
  return `${column} >= ${firstInstant(year, number)} and ${column} < ${firstInstant(next[0] ?? 0, next[1] ?? 0)}`;
}

function firstInstant(year: number, month: number): string {
  return `timestamptz '${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-01 00:00:00+00'`;
}
