import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

import type { DuckDBConnection } from "@duckdb/node-api";

import { PipelineError } from "../errors.js";
import { checkViews } from "./check-views.js";
import { readHeader } from "./read-header.js";

/** `cheap` checks are quick enough for every load, `full` ones are for `piquet check`. */
export type CheckSeverity = "cheap" | "full";

/** A query that must return no row. Its columns are keys and numbers, never text of a session. */
export interface CheckFile {
  readonly name: string;
  readonly description: string;
  readonly severity: CheckSeverity;
  readonly query: string;
}

export interface CheckResult {
  readonly name: string;
  readonly description: string;
  readonly severity: CheckSeverity;
  /** Rows that break the rule; 0 where all is well. */
  readonly rowCount: number;
  /** The first of them. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

const SHOWN_ROWS = 20;

/** The checks of the package, by name. */
export function readChecks(): CheckFile[] {
  const folder = fileURLToPath(import.meta.resolve("#sql/checks"));
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .toSorted()
    .map((name) => readCheck(join(folder, name)));
}

/** Runs the checks over the open database; those of the views' grains are the last of the full ones. */
export async function runChecks(
  connection: DuckDBConnection,
  options: { readonly onlyCheap: boolean },
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of readChecks()) {
    if (!options.onlyCheap || check.severity === "cheap") results.push(await runCheck(connection, check));
  }
  return options.onlyCheap ? results : [...results, await checkGrains(connection)];
}

function readCheck(path: string): CheckFile {
  const { description, fields, query } = readHeader(readFileSync(path, "utf8"), path);
  const severity = fields.find((field) => field.name === "severity")?.description;
  if (severity !== "cheap" && severity !== "full") {
    throw new PipelineError("FAILED", `${path} has no severity, cheap or full`);
  }
  return { name: basename(path, ".sql"), description, severity, query };
}

async function runCheck(connection: DuckDBConnection, check: CheckFile): Promise<CheckResult> {
  const { query, ...about } = check;
  const shown = await connection.runAndReadAll(`select * from (${query}) limit ${SHOWN_ROWS + 1}`);
  const rows = shown.getRowObjectsJson();
  const rowCount = rows.length <= SHOWN_ROWS ? rows.length : await countRows(connection, query);
  return { ...about, rowCount, rows: rows.slice(0, SHOWN_ROWS) };
}

async function countRows(connection: DuckDBConnection, query: string): Promise<number> {
  const reader = await connection.runAndReadAll(`select count(*) from (${query})`);
  return Number(reader.getRowsJson()[0]?.[0]);
}

async function checkGrains(connection: DuckDBConnection): Promise<CheckResult> {
  const violations = await checkViews(connection);
  return {
    name: "grains_are_unique",
    description: "No two rows of a public view share its grain.",
    severity: "full",
    rowCount: violations.length,
    rows: violations.map(({ view, grain, repeatedCount }) => ({
      view,
      grain: grain.join(", "),
      repeated_count: repeatedCount,
    })),
  };
}
