import { existsSync } from "node:fs";
import { targetOf } from "../config.js";
import { EXIT_OK, PipelineError } from "../errors.js";
import { readableBytes } from "../progress.js";
import type { PruneReport } from "../prune.js";
import { readFlag, readText, wrongSetting } from "../settings.js";
import { type Command, type CommandContext, commonOptions } from "./command.js";

export const prune: Command = {
  name: "prune",
  summary: "drop the text of old days from a warehouse, and keep every number",
  positional: null,
  options: {
    before: { kind: "text", help: "first day whose text stays, as 2026-01-31", isFlagOnly: true },
    db: commonOptions.db,
    parquet: { kind: "text", help: "folder of Parquet files, with its warehouse inside, instead of --db" },
    "dry-run": { kind: "flag", help: "count the rows, change nothing" },
    json: commonOptions.json,
  },
  examples: [
    ["piquet prune --before 2026-01-01 --dry-run", "how many rows would lose text"],
    ["piquet prune --before 2026-01-01", "prompts, replies, arguments and results of last year"],
    ['piquet prune --before "$(date -d -90days +%F)"', "for a nightly job: keep three months"],
  ],
  run: async (context) => {
    const { settings, world } = context;
    const before = readDay(context);
    const target = targetOf(settings, world);
    if (!existsSync(target.dbPath)) {
      throw new PipelineError(
        "WAREHOUSE_MISSING",
        `no warehouse at ${target.dbPath}; \`piquet ingest\` makes one`,
      );
    }
    const run = await import("../prune.js");
    const report = await run.prune(
      {
        ...target,
        before,
        isDryRun: readFlag(settings, "dry-run"),
        memoryBytes: world.memoryBytes,
        threads: world.coreCount,
      },
      { log: context.log, signal: context.signal },
    );
    const isJson = readFlag(settings, "json");
    await context.print(isJson ? `${JSON.stringify(report)}\n` : summary(report, target.dbPath));
    return EXIT_OK;
  },
};

/** A later day than today would take the text of sessions that are yet to come. */
function readDay({ settings, world }: CommandContext): string {
  const text = readText(settings, "before");
  if (text === null) throw new PipelineError("USAGE", "--before is missing: the first day whose text stays");
  const today = new Intl.DateTimeFormat("sv", { timeZone: world.timeZone }).format(new Date());
  if (isDay(text) && text <= today) return text;
  throw wrongSetting(settings, "before", `a day up to ${today}, as 2026-01-31`, text);
}

function isDay(text: string): boolean {
  const instant = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && instant.toJSON()?.slice(0, 10) === text;
}

function summary(report: PruneReport, target: string): string {
  const rows = Object.entries(report.rows).map(([table, count]) => `${count.toLocaleString("en")} ${table}`);
  const lines = [
    `${report.is_dry_run ? "Would drop" : "Dropped"} the text of days before ${report.before}`,
    `  rows   ${rows.length > 0 ? rows.join(", ") : "none with text"}`,
    ...(report.bytes_before === null || report.bytes_after === null
      ? []
      : [`  size   ${readableBytes(report.bytes_before)}, now ${readableBytes(report.bytes_after)}`]),
    `  in     ${target}`,
  ];
  return `${lines.join("\n")}\n`;
}
