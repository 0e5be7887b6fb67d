import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { PipelineError } from "../errors.js";
import { type DescribedColumn, readHeader } from "./read-header.js";

/** Version of the public contract; its views live in the schema of that name. */
export const CONTRACT_VERSION = "v1";

export type ViewSchema = "core" | "v1";

/** A view as its file tells it: a query that DuckDB and ClickHouse both run, and what its header says. */
export interface ViewFile {
  readonly schema: ViewSchema;
  readonly name: string;
  /** Folder below the schema's, empty for `core`. */
  readonly topic: string;
  readonly description: string;
  /** Columns that together name a row; empty where nothing does, which only `core` may have. */
  readonly grain: readonly string[];
  /** In the order of the header, which for `v1` is that of the query. */
  readonly columns: readonly DescribedColumn[];
  readonly query: string;
}

/** All views of the package, `core` before `v1` and by path within; not in the order of creation. */
export function readViews(): ViewFile[] {
  return [...readFolder("core"), ...readFolder(CONTRACT_VERSION)];
}

function readFolder(schema: ViewSchema): ViewFile[] {
  const folder = fileURLToPath(import.meta.resolve(`#sql/${schema}`));
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".sql"))
    .toSorted()
    .map((path) => readView(schema, folder, path));
}

function readView(schema: ViewSchema, folder: string, path: string): ViewFile {
  const { description, fields, query } = readHeader(readFileSync(join(folder, path), "utf8"), path);
  const grain = fields.find((field) => field.name === "grain");
  if (grain === undefined && schema !== "core") throw new PipelineError("FAILED", `${path} has no grain`);
  const topic = dirname(path);

  return {
    schema,
    name: basename(path, ".sql"),
    topic: topic === "." ? "" : topic,
    description,
    grain: grain?.description.split(",").map((column) => column.trim()) ?? [],
    columns: fields.filter((field) => field !== grain),
    query,
  };
}
