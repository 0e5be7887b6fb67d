import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteName, quoteText } from "../../schema/ddl.js";
import { tableList } from "../../schema/index.js";
import type { Column, ColumnType, Table } from "../../schema/table.js";
import { PipelineError } from "../errors.js";
import type { ContentOption } from "../flow.js";
import type { PublicView } from "./relations.js";
import { readRows } from "./sql.js";

/** A view of the package: `core` or `v1`, in the order of creation. */
export interface PackageView {
  readonly schema: string;
  readonly name: string;
  readonly description: string;
  readonly grain: readonly string[];
  readonly columns: readonly { readonly name: string; readonly description: string }[];
  readonly query: string;
}

/** Name that the warehouse is attached under, and that of the database this makes. */
export const WAREHOUSE = "warehouse";
export const PUBLISHED = "published";

/**
 * Makes a database in memory that shows the attached warehouse as it is published, and uses it: tables
 * without the values of text columns unless content is `full`, and the package's own views over them,
 * whatever program filled the warehouse. Gives the public views with their types.
 */
export async function openPublished(
  connection: DuckDBConnection,
  content: ContentOption,
  views: readonly PackageView[],
): Promise<PublicView[]> {
  await connection.run(`attach ':memory:' as ${PUBLISHED}`);
  await connection.run(`use ${PUBLISHED}`);
  await connection.run("set TimeZone = 'UTC'");
  await connection.run("create schema base; create schema core; create schema v1");
  const known = await knownColumns(connection);
  for (const table of tableList()) await connection.run(tableView(table, content, known));
  for (const { schema, name, query } of views) {
    await connection.run(`create view ${schema}.${quoteName(name)} as ${query}`);
  }
  const types = await viewTypes(connection);
  return views.filter((view) => view.schema === "v1").map((view) => publicView(view, types));
}

export async function closePublished(connection: DuckDBConnection): Promise<void> {
  await connection.run(`use ${WAREHOUSE}`);
  await connection.run(`detach ${PUBLISHED}`);
}

/** `table.column` of the warehouse, which lacks columns where an earlier program made it. */
async function knownColumns(connection: DuckDBConnection): Promise<ReadonlySet<string>> {
  const rows = await readRows(
    connection,
    `select table_name || '.' || column_name from duckdb_columns()
     where database_name = '${WAREHOUSE}' and schema_name = 'base'`,
  );
  return new Set(rows.map(([name]) => name ?? ""));
}

function tableView(table: Table, content: ContentOption, known: ReadonlySet<string>): string {
  const columns = Object.entries(table.columns).map(([name, column]) =>
    isShown(table, name, column, content, known)
      ? quoteName(name)
      : `null::${column.type} as ${quoteName(name)}`,
  );
  return `create view base.${table.name} as select ${columns.join(", ")} from ${WAREHOUSE}.base.${table.name}`;
}

function isShown(
  table: Table,
  name: string,
  column: Column,
  content: ContentOption,
  known: ReadonlySet<string>,
): boolean {
  return (content === "full" || column.class !== "text") && known.has(`${table.name}.${name}`);
}

async function viewTypes(connection: DuckDBConnection): Promise<ReadonlyMap<string, string>> {
  const rows = await readRows(
    connection,
    `select table_name || '.' || column_name, data_type from duckdb_columns()
     where database_name = '${PUBLISHED}' and schema_name = 'v1'`,
  );
  return new Map(rows.map(([name, type]) => [name ?? "", type ?? ""]));
}

const COLUMN_TYPES: ReadonlyMap<string, ColumnType> = new Map([
  ["VARCHAR", "varchar"],
  ["BIGINT", "bigint"],
  ["INTEGER", "integer"],
  ["DOUBLE", "double"],
  ["DECIMAL(18,9)", "decimal(18,9)"],
  ["BOOLEAN", "boolean"],
  ["DATE", "date"],
  ["TIMESTAMP WITH TIME ZONE", "timestamptz"],
]);

function publicView(view: PackageView, types: ReadonlyMap<string, string>): PublicView {
  const { name, description, grain } = view;
  const columns = view.columns.map((column) => {
    const found = types.get(`${name}.${column.name}`) ?? "";
    const type = COLUMN_TYPES.get(found);
    if (type === undefined) {
      throw new PipelineError(
        "FAILED",
        `v1.${name}.${column.name} has a type that is not published: ${found}`,
      );
    }
    return { name: column.name, type, description: column.description };
  });
  return { name, description, grain, columns };
}

export function textLiteralMap(values: Readonly<Record<string, string>>): string {
  return `{${Object.entries(values)
    .map(([key, value]) => `${quoteText(key)}: ${quoteText(value)}`)
    .join(", ")}}`;
}
