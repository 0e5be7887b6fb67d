import {
  type DuckDBConnection,
  type DuckDBExtractedStatements,
  type DuckDBPreparedStatement,
  StatementType,
} from "@duckdb/node-api";
import { PipelineError } from "../errors.js";

/**
 * Functions that a SELECT may call and that do more than read: they turn on profiles and logs, which go to
 * standard output and files, or run SQL from a text, past these checks.
 */
const REFUSED_FUNCTIONS: ReadonlySet<string> = new Set([
  "enable_logging",
  "disable_logging",
  "enable_profiling",
  "disable_profiling",
  "truncate_duckdb_logs",
  "write_log",
  "checkpoint",
  "force_checkpoint",
  "query",
  "json_execute_serialized_sql",
]);

const BLANK = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*/;

/**
 * Prepares the one statement of a text. Throws `STATEMENT_REFUSED` unless it is a SELECT (or what DuckDB
 * reads as one: FROM, VALUES, DESCRIBE, SUMMARIZE, SHOW) or an EXPLAIN of one. EXPLAIN ANALYZE is refused
 * because it runs what it explains, a COPY even where access to files is off.
 */
export async function prepareReading(
  connection: DuckDBConnection,
  sql: string,
): Promise<DuckDBPreparedStatement> {
  const statements = await extractSingle(connection, sql);
  const first = afterBlank(sql);
  const explained = afterExplain(first);
  await requireSelect(connection, explained ?? first, first);
  const statement = await prepare(statements);
  const expected = explained === null ? StatementType.SELECT : StatementType.EXPLAIN;
  if (statement.statementType !== expected) throw refused(first);
  return statement;
}

/** Prepares the one statement of a text, whatever it does. */
export async function prepareAny(
  connection: DuckDBConnection,
  sql: string,
): Promise<DuckDBPreparedStatement> {
  return prepare(await extractSingle(connection, sql));
}

async function extractSingle(connection: DuckDBConnection, sql: string): Promise<DuckDBExtractedStatements> {
  if (afterBlank(sql).replaceAll(";", "").trim() === "") throw usage("there is no statement to run");
  try {
    const statements = await connection.extractStatements(sql);
    if (statements.count === 1) return statements;
    const hint = /^pivot\b/i.test(afterBlank(sql)) ? "; a PIVOT needs its values listed: on x in (..)" : "";
    throw usage(`expected one statement, found ${statements.count}${hint}`);
  } catch (error) {
    throw asRefusal(error);
  }
}

async function prepare(statements: DuckDBExtractedStatements): Promise<DuckDBPreparedStatement> {
  try {
    const statement = await statements.prepare(0);
    if (statement.parameterCount > 0) throw usage("a statement cannot have parameters here");
    return statement;
  } catch (error) {
    throw asRefusal(error);
  }
}

/** DuckDB's error about the statement itself, without its prefix: the text repeats the statement, not data. */
export function asRefusal(error: unknown): PipelineError {
  if (error instanceof PipelineError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return usage(message.replace(/^Failed to extract statements: /, ""), error);
}

/** DuckDB's own parser says what a text is: it takes a SELECT to pieces, and nothing else. */
async function requireSelect(connection: DuckDBConnection, sql: string, whole: string): Promise<void> {
  const result = await connection.runAndReadAll("select json_serialize_sql($1::varchar)", [sql]);
  const tree: unknown = JSON.parse(String(result.getRows()[0]?.[0]));
  const { isSelect, functions } = inspect(tree);
  if (!isSelect) throw refused(whole);
  const bad = functions.find((name) => REFUSED_FUNCTIONS.has(name));
  if (bad !== undefined) throw usage(`${bad}() does more than read; --unsafe allows it`);
}

function inspect(tree: unknown): { isSelect: boolean; functions: readonly string[] } {
  const functions: string[] = [];
  let isSelect = false;
  JSON.stringify(tree, (key, value) => {
    if (key === "function_name" && typeof value === "string") functions.push(value.toLowerCase());
    if (key === "statements" && Array.isArray(value)) isSelect = value.length === 1;
    return value;
  });
  return { isSelect, functions };
}

function afterBlank(sql: string): string {
  return sql.slice(BLANK.exec(sql)?.[0].length ?? 0);
}

/** What an EXPLAIN explains, null for another statement. */
function afterExplain(first: string): string | null {
  const keyword = /^explain\b/i.exec(first);
  if (keyword === null) return null;
  const rest = afterBlank(first.slice(keyword[0].length));
  if (!rest.startsWith("(")) return rest;
  const options = /^\(([^()']*|'[^']*')*\)/.exec(rest)?.[0] ?? "";
  if (/\banalyze\b/i.test(options)) throw refused(first);
  return /^\(\s*(format\b|\))/i.test(options) ? afterBlank(rest.slice(options.length)) : rest;
}

function refused(whole: string): PipelineError {
  const words = /^\w+/.exec(whole)?.[0].toUpperCase() ?? "this";
  const explained = words === "EXPLAIN" ? " of anything but a SELECT, or with ANALYZE," : "";
  return usage(
    `${words}${explained} is not allowed: a single SELECT or EXPLAIN may run; --unsafe lifts this`,
  );
}

function usage(message: string, cause?: unknown): PipelineError {
  return new PipelineError("STATEMENT_REFUSED", message, cause === undefined ? {} : { cause });
}
