import type { ColumnType } from "../../schema/table.js";
import { PipelineError } from "../errors.js";
import type { LakeDialect } from "./lake-tables.js";

/** Every column is Nullable: an empty string would else stand for NULL in an aggregate. */
const TYPES: Readonly<Record<ColumnType, string>> = {
  varchar: "Nullable(String)",
  bigint: "Nullable(Int64)",
  integer: "Nullable(Int32)",
  double: "Nullable(Float64)",
  "decimal(18,9)": "Nullable(Decimal(18, 9))",
  boolean: "Nullable(Bool)",
  date: "Nullable(Date32)",
  timestamptz: "Nullable(DateTime64(6, 'UTC'))",
};

/** ClickHouse expands a pattern to at most 1,000 names. */
const MOST_FILES = 500;
const ENDING = ".parquet";

/** A view whose NULLs behave as in DuckDB. */
export const CLICKHOUSE_SETTINGS = "settings cast_keep_nullable = 1, join_use_nulls = 1";

/**
 * ClickHouse, with the lake's files below an address that ends in a slash: of a bucket for `s3`, a folder's
 * for `file`. Throws `USAGE` for a folder whose name would be a pattern.
 */
export function clickhouseDialect(kind: "s3" | "file", address: string): LakeDialect {
  if (kind === "file" && /[*?{}]/.test(address)) {
    throw new PipelineError("USAGE", `ClickHouse takes *, ?, { and } in a path for a pattern: ${address}`);
  }
  const oneRead = (paths: readonly string[], structure: string): string =>
    `${kind}(${quote(address + pattern(paths))}, 'Parquet', ${quote(structure)})`;
  return {
    read: (paths, columns) => {
      const structure = Object.entries(columns)
        .map(([name, type]) => `${name} ${TYPES[type]}`)
        .join(", ");
      const groups = chunks(paths, MOST_FILES).map((group) => oneRead(group, structure));
      const [only = ""] = groups;
      if (groups.length === 1) return only;
      return `(${groups.map((group) => `select * from ${group}`).join("\nunion all\n")})`;
    },
    typeName: (type) => TYPES[type],
  };
}

function pattern(paths: readonly string[]): string {
  const [only = ""] = paths;
  if (paths.length === 1) return only;
  return `{${paths.map((path) => path.slice(0, -ENDING.length)).join(",")}}${ENDING}`;
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** Backslashes escape in ClickHouse's literals. */
function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
