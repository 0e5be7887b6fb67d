import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import golden from "../../golden/v1.json" with { type: "json" };
import type { ClickHouse } from "./clickhouse.js";

export interface Comparison {
  readonly cells: number;
  /** Cells in which the two differ, those of rows that only one of them has included. */
  readonly differing: number;
  /** Views that differ, with their number of such cells. */
  readonly views: readonly string[];
}

type View = (typeof golden)[number];

const quoted = (name: string): string => `"${name}"`;

/** Keeps the answers of a database's public views as `expected.<view>`; its name ends in a dot, or is empty. */
export async function keepAnswers(connection: DuckDBConnection, database: string): Promise<void> {
  await connection.run("create or replace schema expected");
  for (const { view } of golden) {
    await connection.run(
      `create or replace table expected.${quoted(view)} as from ${database}v1.${quoted(view)}`,
    );
  }
}

/** Compares every public view, as ClickHouse answers it, with what `keepAnswers` kept. */
export function compareClickHouse(
  connection: DuckDBConnection,
  clickhouse: ClickHouse,
  folder: string,
): Promise<Comparison> {
  return compareViews(connection, ({ view, columns }) => {
    const path = join(folder, `${view}.parquet`);
    const names = columns.map(({ name }) => quoted(name)).join(", ");
    clickhouse.writeParquet(`select ${names} from v1.${quoted(view)}`, path);
    return `read_parquet('${path}', binary_as_string = true)`;
  });
}

/** Compares every public view of another database of the connection with what `keepAnswers` kept. */
export function compareDatabase(connection: DuckDBConnection, database: string): Promise<Comparison> {
  return compareViews(connection, ({ view }) => `${database}v1.${quoted(view)}`);
}

async function compareViews(
  connection: DuckDBConnection,
  answerOf: (view: View) => string,
): Promise<Comparison> {
  let [cells, differing] = [0, 0];
  const views: string[] = [];
  for (const view of golden) {
    const reader = await connection.runAndReadAll(comparison(view, answerOf(view)));
    const [rows = 0, found = 0] = (reader.getRowsJson()[0] ?? []).map(Number);
    cells += rows * view.columns.length;
    differing += found;
    if (found > 0) views.push(`${view.view}: ${found}`);
  }
  return { cells, differing, views };
}

/** Rows are matched by the view's grain, and by their order where it is not unique. */
function comparison({ view, columns, grain }: View, found: string): string {
  const rowsOf = (source: string): string => {
    const cast = columns.map(({ name, type }) => `${quoted(name)}::${type} as ${quoted(name)}`).join(", ");
    const order = columns.map(({ name }) => quoted(name)).join(", ");
    return `select *, row_number() over (partition by ${grain.map(quoted).join(", ")} order by ${order}) as place__
      from (select ${cast} from ${source})`;
  };
  const isSame = [...grain, "place__"].map(
    (name) => `a.${quoted(name)} is not distinct from b.${quoted(name)}`,
  );
  const differs = columns.map(
    ({ name }) => `(a.${quoted(name)} is distinct from b.${quoted(name)})::integer`,
  );
  return `select count(*),
      coalesce(sum(case when a.place__ is null or b.place__ is null then ${columns.length} else ${differs.join(" + ")} end), 0)
    from (${rowsOf(`expected.${quoted(view)}`)}) as a
    full join (${rowsOf(found)}) as b on ${isSame.join(" and ")}`;
}
