import type { DuckDBConnection } from "@duckdb/node-api";

import { createTableSql } from "../../schema/ddl.js";
import { tableList } from "../../schema/index.js";
import { readTexts } from "./read-texts.js";
import { CONTRACT_VERSION, readViews } from "./read-views.js";

/** What users of a public view may rely on. */
export interface ViewContract {
  readonly view: string;
  readonly grain: readonly string[];
  readonly columns: readonly ColumnContract[];
}

export interface ColumnContract {
  readonly name: string;
  readonly type: string;
}

/** The public views as the open database has them, by name. */
export async function readContract(connection: DuckDBConnection): Promise<ViewContract[]> {
  const columns = await readTexts(
    connection,
    `select table_name, column_name, data_type from duckdb_columns()
     where database_name = current_database() and schema_name = '${CONTRACT_VERSION}'
     order by table_name, column_index`,
  );
  return readViews()
    .filter((view) => view.schema === CONTRACT_VERSION)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((view) => ({
      view: view.name,
      grain: view.grain,
      columns: columns
        .filter(([table]) => table === view.name)
        .map(([, name = "", type = ""]) => ({ name, type })),
    }));
}

/**
 * Sentences on what a newer contract takes from the users of an older one. Within a version only new views,
 * and new columns at the end, are allowed.
 */
export function contractBreaks(older: readonly ViewContract[], newer: readonly ViewContract[]): string[] {
  return older.flatMap((view) => {
    const now = newer.find((candidate) => candidate.view === view.view);
    if (now === undefined) return [`${view.view} is gone`];
    const breaks = view.columns.flatMap((column, index) =>
      columnBreaks(view.view, column, now.columns[index]),
    );
    return view.grain.join() === now.grain.join() ? breaks : [`${view.view} has another grain`, ...breaks];
  });
}

function columnBreaks(view: string, column: ColumnContract, now: ColumnContract | undefined): string[] {
  if (now?.name !== column.name) return [`${view}.${column.name} is gone or has another place`];
  return now.type === column.type ? [] : [`${view}.${column.name} was ${column.type}, is ${now.type}`];
}

/** `create table` of every base table, for the golden file that shows a change of the schema in review. */
export function baseDdl(): string {
  return tableList()
    .map((table) => `${createTableSql(table, "base")};\n`)
    .join("\n");
}
