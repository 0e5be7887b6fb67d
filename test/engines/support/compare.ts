import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import golden from "../../golden/v1.json" with { type: "json" };
import type { ClickHouse } from "./clickhouse.js";

export interface Comparison {
  /** Cells of the expected answers: rows times columns, over all public views. */
  readonly cells: number;
  /** Views that differ, with how many rows are in only one of the two. */
  readonly differing: readonly string[];
}

interface View {
  readonly view: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** Gives a query, in the SQL of DuckDB, for the rows that an engine answers a view with. */
type Answer = (view: View) => string;

const quoted = (name: string): string => `"${name}"`;

/** Answers of ClickHouse, by way of a Parquet file for each view. */
export function answersOfClickHouse(clickhouse: ClickHouse, folder: string): Answer {
  return ({ view, columns }) => {
    const path = join(folder, `${view}.parquet`);
    const names = columns.map(({ name }) => quoted(name)).join(", ");
    clickhouse.writeParquet(`select ${names} from v1.${quoted(view)}`, path);
    return `from read_parquet('${path}', binary_as_string = true)`;
  };
}

/** Answers of the connection's own public views. */
export const answersOfDuckDB: Answer = ({ view }) => `from v1.${quoted(view)}`;

/** Compares every public view, row by row, with the tables `expected.<view>` of the connection. */
export async function compareViews(connection: DuckDBConnection, answer: Answer): Promise<Comparison> {
  let cells = 0;
  const differing: string[] = [];
  for (const { view, columns } of golden) {
    const cast = columns.map(({ name, type }) => `${quoted(name)}::${type} as ${quoted(name)}`).join(", ");
    await connection.run(
      `create or replace temp table found as select ${cast} from (${answer({ view, columns })})`,
    );
    const expected = `select ${cast} from expected.${quoted(view)}`;
    const reader = await connection.runAndReadAll(
      `select (select count(*) from (${expected})), (select count(*) from found),
         (select count(*) from ((${expected}) except all (from found))),
         (select count(*) from ((from found) except all (${expected})))`,
    );
    const [rows, foundRows, missing, added] = (reader.getRowsJson()[0] ?? []).map(Number);
    cells += Number(rows) * columns.length;
    if (rows !== foundRows || missing !== 0 || added !== 0) {
      differing.push(`${view}: ${rows} rows, found ${foundRows}; ${missing} missing, ${added} added`);
    }
  }
  return { cells, differing };
}

/** Keeps the answers of a database's public views as `expected.<view>`; its name ends in a dot, or is empty. */
export async function keepAnswers(connection: DuckDBConnection, database: string): Promise<void> {
  await connection.run("create or replace schema expected");
  for (const { view } of golden) {
    await connection.run(`create table expected.${quoted(view)} as from ${database}v1.${quoted(view)}`);
  }
}
