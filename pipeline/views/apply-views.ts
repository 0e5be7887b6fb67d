import { createHash } from "node:crypto";

import type { DuckDBConnection } from "@duckdb/node-api";

import { createTableSql, quoteName, quoteText } from "../../schema/ddl.js";
import { tableList } from "../../schema/index.js";
import { orderViews, qualifiedName } from "./order-views.js";
import { readTexts } from "./read-texts.js";
import { CONTRACT_VERSION, readViews, type ViewFile } from "./read-views.js";

export interface ApplyOptions {
  /** Views to have; those of the package by default. */
  readonly views?: readonly ViewFile[];
}

const CREATE_META = `
create schema if not exists core;
create schema if not exists v1;
create schema if not exists meta;
create table if not exists meta.views (
  schema_name varchar not null,
  view_name varchar not null,
  text_hash varchar not null,
  contract_version varchar not null,
  created_at timestamptz not null
)`;

/**
 * Makes the views of the open database those of the package, with comments, and drops the others. Does
 * nothing when all are there with the same text over the same tables. Opens no transaction: the caller's
 * holds it, and the caller has said `use` for the database.
 */
export async function applyViews(connection: DuckDBConnection, options: ApplyOptions = {}): Promise<void> {
  const views = orderViews(options.views ?? readViews());
  const hashes = hashViews(views);
  await connection.run(CREATE_META);
  if (await areUnchanged(connection, hashes)) return;

  await connection.run(
    [
      ...(await dropStatements(connection, hashes)),
      ...views.flatMap(createStatements),
      ...recordStatements(hashes),
    ].join(";\n"),
  );
}

/** Hash of each view by qualified name. The tables are part of it, for a view binds to their types. */
function hashViews(views: readonly ViewFile[]): Map<string, string> {
  const tables = tableList()
    .map((table) => createTableSql(table, "base"))
    .join("\n");
  return new Map(
    views.map((view) => [
      qualifiedName(view),
      createHash("sha256")
        .update(JSON.stringify([tables, view]))
        .digest("hex"),
    ]),
  );
}

async function areUnchanged(connection: DuckDBConnection, hashes: Map<string, string>): Promise<boolean> {
  const existing = await readExistingViews(connection);
  const recorded = await readTexts(
    connection,
    "select schema_name || '.' || view_name, text_hash from meta.views",
  );
  return (
    existing.length === hashes.size &&
    existing.every((name) => hashes.has(name)) &&
    recorded.length === hashes.size &&
    recorded.every(([name = "", hash]) => hashes.get(name) === hash)
  );
}

async function readExistingViews(connection: DuckDBConnection): Promise<string[]> {
  const rows = await readTexts(
    connection,
    `select schema_name || '.' || view_name from duckdb_views()
     where database_name = current_database() and schema_name in ('core', 'v1') order by all`,
  );
  return rows.map(([name = ""]) => name);
}

async function dropStatements(connection: DuckDBConnection, hashes: Map<string, string>): Promise<string[]> {
  const existing = await readExistingViews(connection);
  return existing.filter((name) => !hashes.has(name)).map((name) => `drop view ${quoteQualified(name)}`);
}

function createStatements(view: ViewFile): string[] {
  const name = quoteQualified(qualifiedName(view));
  return [
    `create or replace view ${name} as\n${view.query}`,
    `comment on view ${name} is ${quoteText(view.description)}`,
    ...view.columns.map(
      (column) => `comment on column ${name}.${quoteName(column.name)} is ${quoteText(column.description)}`,
    ),
  ];
}

function recordStatements(hashes: Map<string, string>): string[] {
  const rows = [...hashes].map(([name, hash]) => {
    const [schema, view] = name.split(".").map(quoteText);
    return `(${schema}, ${view}, ${quoteText(hash)}, ${quoteText(CONTRACT_VERSION)}, now())`;
  });
  return ["delete from meta.views", `insert into meta.views values ${rows.join(", ")}`];
}

function quoteQualified(name: string): string {
  return name.split(".").map(quoteName).join(".");
}
