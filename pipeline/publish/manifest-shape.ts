import type { ColumnType } from "../../schema/table.js";

const COLUMN_TYPES: ReadonlySet<unknown> = new Set<ColumnType>([
  "varchar",
  "bigint",
  "integer",
  "double",
  "decimal(18,9)",
  "boolean",
  "date",
  "timestamptz",
]);

/** Every part begins with a letter or digit, so none leads out of the lake, and none is a pattern. */
const FILE_PATH = /^(?:base|v1)(?:\/[A-Za-z0-9_][A-Za-z0-9_.~=-]*)+\.parquet$/;

/**
 * True where a manifest names files inside its lake and known types alone. Other machines write manifests too,
 * and both become part of the SQL that reads the lake.
 */
export function hasSafeNames(manifest: object): boolean {
  if (!("files" in manifest && Array.isArray(manifest.files) && manifest.files.every(isFile))) return false;
  if (!("machine" in manifest && typeof manifest.machine === "string")) return false;
  if (!("relations" in manifest && isObject(manifest.relations))) return false;
  return Object.values(manifest.relations).every(
    (columns) => isObject(columns) && Object.values(columns).every((type) => COLUMN_TYPES.has(type)),
  );
}

function isFile(file: unknown): boolean {
  if (!(isObject(file) && "path" in file && "relation" in file)) return false;
  return typeof file.relation === "string" && typeof file.path === "string" && FILE_PATH.test(file.path);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
