import { LAKE_SCHEMAS, viewName, viewsOverLake } from "./lake-views.js";
import { CLICKHOUSE_SETTINGS, clickhouseDialect } from "./publish/clickhouse-dialect.js";
import { duckdbDialect } from "./publish/lake-tables.js";
import type { Manifest } from "./publish/manifest.js";

export const ENGINES = ["clickhouse", "duckdb"] as const;
export type Engine = (typeof ENGINES)[number];

/** A lake as an engine reaches it. */
export interface LakeAddress {
  readonly kind: "file" | "s3";
  /** Where ClickHouse finds it: a folder, or a bucket's `https` address; ends in a slash. */
  readonly clickhouse: string;
  /** Where DuckDB finds it: a folder or `s3://bucket/prefix/`; ends in a slash. */
  readonly duckdb: string;
}

/** SQL that makes the views of a lake in an engine, or makes them anew after it was published again. */
export function lakeDdl(engine: Engine, manifests: readonly Manifest[], address: LakeAddress): string {
  return engine === "clickhouse"
    ? ddl(manifests, {
        dialect: clickhouseDialect(address.kind, address.clickhouse),
        container: "database",
        table: (name) => `table ${name} engine = MergeTree order by tuple()`,
        ending: `\n${CLICKHOUSE_SETTINGS}`,
      })
    : ddl(manifests, {
        dialect: duckdbDialect(address.duckdb),
        container: "schema",
        table: (name) => `table ${name}`,
        ending: "",
      });
}

interface Form {
  readonly dialect: Parameters<typeof viewsOverLake>[1];
  readonly container: "database" | "schema";
  /** Start of the statement for a table that is filled by a query. */
  readonly table: (name: string) => string;
  readonly ending: string;
}

/**
 * What several machines' files are joined by becomes tables: views that read it over and over are beyond
 * what ClickHouse plans. They are made anew with the views, so they fit the files these name.
 */
function ddl(manifests: readonly Manifest[], { dialect, container, table, ending }: Form): string {
  const sources = manifests.map(
    ({ machine, load_id, generated_at }) => `--   ${oneLine(machine)}, load ${load_id}, ${generated_at}`,
  );
  const statements = [
    ...LAKE_SCHEMAS.map((schema) => `create ${container} if not exists ${schema}`),
    ...viewsOverLake(manifests, dialect).map((view) => {
      const name = viewName(view);
      const start = view.isResolution ? table(name) : `view ${name}`;
      return `create or replace ${start} as\n${view.query}${ending}`;
    }),
  ];
  return [
    "-- Views over the files that these manifests name; run again after each publication.",
    ...sources,
    ...statements.map((statement) => `${statement};\n`),
  ].join("\n");
}

function oneLine(text: string): string {
  return text.replaceAll(/\s/g, " ");
}
