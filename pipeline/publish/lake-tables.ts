import { quoteName, quoteText } from "../../schema/ddl.js";
import { tableList } from "../../schema/index.js";
import type { ColumnType, Table } from "../../schema/table.js";
import type { Manifest } from "./manifest.js";
import { tableFiles } from "./read-lake.js";

/** A query that shows one table as all machines of a lake wrote it. */
export interface LakeTable {
  readonly name: string;
  readonly query: string;
}

/** How an engine says what differs between engines. */
export interface LakeDialect {
  /** Reads files of one machine: a table expression with exactly these columns. */
  readonly read: (paths: readonly string[], columns: Readonly<Record<string, ColumnType>>) => string;
  readonly typeName: (type: ColumnType) => string;
}

/**
 * The tables of `lake`: the machine as `lake_machine`, the columns of this program's schema and, behind them,
 * those that only a later program's files have. A column that a machine's files lack is NULL there.
 */
export function lakeTables(manifests: readonly Manifest[], dialect: LakeDialect): LakeTable[] {
  return tableList().map((table) => {
    const columns = allColumns(table, manifests);
    const shares = manifests
      .filter((manifest) => tableFiles(manifest, table.name).length > 0)
      .map((manifest) => shareQuery(manifest, table.name, columns, dialect));
    return {
      name: table.name,
      query: shares.length > 0 ? shares.join("\nunion all\n") : emptyQuery(columns, dialect),
    };
  });
}

type Columns = Readonly<Record<string, ColumnType>>;

function allColumns(table: Table, manifests: readonly Manifest[]): Columns {
  const own = Object.fromEntries(Object.entries(table.columns).map(([name, { type }]) => [name, type]));
  const found = manifests.map((manifest) => manifest.relations[`base.${table.name}`] ?? {});
  return Object.assign({}, own, ...found, own);
}

function shareQuery(manifest: Manifest, table: string, columns: Columns, dialect: LakeDialect): string {
  const held = manifest.relations[`base.${table}`] ?? {};
  const list = Object.entries(columns).map(([name, type]) => {
    const source = name in held ? quoteName(name) : "null";
    const isAsIs = held[name] === type;
    return isAsIs ? source : `cast(${source} as ${dialect.typeName(type)}) as ${quoteName(name)}`;
  });
  const paths = tableFiles(manifest, table).map((file) => file.path);
  const machine = `${quoteText(manifest.machine)} as lake_machine`;
  return `select ${[machine, ...list].join(", ")}\nfrom ${dialect.read(paths, held)}`;
}

function emptyQuery(columns: Columns, dialect: LakeDialect): string {
  const list = Object.entries(columns).map(
    ([name, type]) => `cast(null as ${dialect.typeName(type)}) as ${quoteName(name)}`,
  );
  return `select '' as lake_machine, ${list.join(", ")} where false`;
}

/** DuckDB, with the lake's files below an address that ends in a slash. */
export function duckdbDialect(address: string): LakeDialect {
  return {
    read: (paths) =>
      `read_parquet([${paths.map((path) => quoteText(address + path)).join(", ")}], hive_partitioning = false)`,
    typeName: (type) => type,
  };
}
