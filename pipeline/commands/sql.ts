import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { warehousePath } from "../config.js";
import { EXIT_OK, PipelineError } from "../errors.js";
import { pickOne, readChoice, readFlag, readPath, readText, resolvePath } from "../settings.js";
import { type Command, type CommandContext, commonOptions } from "./command.js";
import { type OutputFile, openOutputFile } from "./output-file.js";

const FORMAT_OF_EXTENSION = new Map([
  [".json", "json"],
  [".jsonl", "jsonl"],
  [".ndjson", "jsonl"],
  [".csv", "csv"],
  [".md", "markdown"],
] as const);

export const sql: Command = {
  name: "sql",
  summary: "ask a warehouse, or a folder of Parquet, one question",
  positional: {
    name: "query",
    help: "one SELECT, or EXPLAIN without ANALYZE [from --file or standard input]",
    isMany: false,
  },
  options: {
    db: commonOptions.db,
    parquet: { kind: "text", help: "folder that was published to, instead of --db" },
    file: { kind: "text", help: "file that holds the query", isFlagOnly: true },
    format: {
      kind: "text",
      help: "table, json, jsonl, csv or markdown [table, or by the output's extension]",
    },
    output: { kind: "text", help: "file for the result; .parquet is written as Parquet", isFlagOnly: true },
    unsafe: { kind: "flag", help: "any statement, with access to other files", isFlagOnly: true },
  },
  examples: [
    ['piquet sql "from v1.spend_daily"', "spend by day, project and model"],
    ["piquet sql --format json < spend.sql", "a query from a file, for a script"],
    ['piquet sql --parquet ./lake "from v1.spend_daily"', "the same over published files"],
    ['piquet sql "from v1.sessions" --output sessions.parquet', "a result as Parquet"],
  ],
  run: async (context) => {
    const { settings, world } = context;
    const isLake = pickOne(settings, "parquet", "db") === "parquet";
    const folder = isLake ? readPath(settings, "parquet", world) : null;
    const { openLake } = await import("../open-lake.js");
    const dbPath = warehousePath(settings, world);
    const text = await queryText(context);
    const outputPath = readPath(settings, "output", world);
    const { FORMAT_NAMES, runQuery } = await import("../query/query.js");
    const format = readChoice(settings, "format", FORMAT_NAMES) ?? formatOf(outputPath);
    const output = outputPath === null ? null : openOutputFile(outputPath);
    const isParquet = output !== null && extname(output.path) === ".parquet";
    await whole(output, () =>
      runQuery({
        dbPath,
        lake: folder === null ? undefined : () => openLake(folder),
        sql: text,
        target: isParquet ? { parquetPath: output.writePath } : { format },
        isUnsafe: readFlag(settings, "unsafe"),
        memoryLimitBytes: world.memoryBytes / 2,
        tempDir: world.tempDir,
        signal: context.signal,
        write: output === null ? context.print : output.write,
      }),
    );
    return EXIT_OK;
  },
};

/** A file appears when it is whole, or not at all. */
async function whole(output: OutputFile | null, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    output?.discard();
    throw error;
  }
  output?.keep();
}

function formatOf(outputPath: string | null): "table" | "json" | "jsonl" | "csv" | "markdown" {
  const extension = outputPath === null ? "" : extname(outputPath);
  return [...FORMAT_OF_EXTENSION].find(([known]) => known === extension)?.[1] ?? "table";
}

async function queryText(context: CommandContext): Promise<string> {
  const [given] = context.positionals;
  const path = readText(context.settings, "file");
  if (given !== undefined && path !== null) {
    throw new PipelineError("USAGE", "a query and --file cannot be given together");
  }
  if (given !== undefined) return given;
  if (path !== null && path !== "-") {
    return readQueryFile(resolvePath(path, context.world.workDir, context.world.homeDir));
  }
  const input = await context.readInput();
  if (input === null)
    throw new PipelineError("USAGE", "no query: give one, a --file, or text on standard input");
  return input;
}

function readQueryFile(path: string): string {
  try {
    return readFileSync(path, "utf8").replace(/^\ufeff/, "");
  } catch (cause) {
    throw new PipelineError("USAGE", `cannot read the query in ${path}`, { cause });
  }
}
