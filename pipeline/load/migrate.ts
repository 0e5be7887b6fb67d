import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DuckDBConnection } from "@duckdb/node-api";
import { addColumnSql, createTableSql } from "../../schema/ddl.js";
import { SCHEMA_VERSION, tableList } from "../../schema/index.js";
import type { Table } from "../../schema/table.js";
import { PipelineError } from "../errors.js";
import { readSettings, writeSetting } from "./meta-settings.js";
import { queryRows, textOf } from "./sql.js";

/** SQL that brings a warehouse from the version before to this one. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

export interface Target {
  readonly version: number;
  readonly migrations: readonly Migration[];
  readonly tables: readonly Table[];
}

/** The files of `sql/migrations`, `NNNN_<what>.sql`, in order; NNNN is the version that they lead to. */
export function readMigrations(): readonly Migration[] {
  const folder = fileURLToPath(import.meta.resolve("#sql/migrations"));
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const version = /^(\d{4})_\w+\.sql$/.exec(name)?.[1];
      return version === undefined
        ? []
        : [{ version: Number(version), name, sql: readFileSync(join(folder, name), "utf8") }];
    });
}

/**
 * Brings a warehouse to the tables of this program, inside the caller's transaction: a new one gets all of
 * them, an older one the migrations between its version and this one, then the columns that it lacks.
 * Throws `FAILED` where it differs in a way that only a migration could have mended.
 */
export async function migrate(
  connection: DuckDBConnection,
  target: Target = { version: SCHEMA_VERSION, migrations: readMigrations(), tables: tableList() },
): Promise<void> {
  for (const schema of ["base", "core", "v1", "meta"])
    await connection.run(`create schema if not exists ${schema}`);
  await connection.run(
    "create table if not exists meta.settings (key varchar not null, value varchar not null)",
  );
  const settings = await readSettings(connection);
  const version = Number(settings.get("schema_version") ?? target.version);
  for (const migration of target.migrations) {
    if (migration.version > version && migration.version <= target.version)
      await connection.run(migration.sql);
  }
  for (const table of target.tables) await connection.run(createTableSql(table, "base"));
  await addColumns(connection, target.tables);
  if (settings.get("schema_version") !== String(target.version))
    await writeSetting(connection, "schema_version", String(target.version));
  if (!settings.has("warehouse_id")) await writeSetting(connection, "warehouse_id", randomUUID());
}

async function addColumns(connection: DuckDBConnection, tables: readonly Table[]): Promise<void> {
  const held = await heldColumns(connection);
  for (const table of tables) {
    for (const [name, column] of Object.entries(table.columns)) {
      const type = held.get(`${table.name}.${name}`);
      if (type === undefined && column.isNullable) {
        await connection.run(addColumnSql(table, "base", name, column));
      } else if (type !== typeName(column.type)) {
        const found = type === undefined ? "is missing" : `is ${type}`;
        throw new PipelineError(
          "FAILED",
          `the warehouse has another schema than it says: base.${table.name}.${name} ${found}, expected ${column.type}`,
        );
      }
    }
  }
}

/** Types as DuckDB writes them, by `table.column`. */
async function heldColumns(connection: DuckDBConnection): Promise<Map<string, string>> {
  const rows = await queryRows(
    connection,
    "select table_name, column_name, data_type from duckdb_columns() where database_name = current_database() and schema_name = 'base'",
  );
  return new Map(
    rows.map((row) => [
      `${textOf(row, "table_name")}.${textOf(row, "column_name")}`,
      textOf(row, "data_type"),
    ]),
  );
}

function typeName(type: string): string {
  return type === "timestamptz" ? "TIMESTAMP WITH TIME ZONE" : type.toUpperCase();
}
