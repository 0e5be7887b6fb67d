import { ingestConfig } from "../config.js";
import { EXIT_CHECK_FAILED, EXIT_OK } from "../errors.js";
import type { LoadReport } from "../flow.js";
import { readableBytes } from "../progress.js";
import { type Command, type CommandContext, commonOptions } from "./command.js";

export const ingest: Command = {
  name: "ingest",
  summary: "load session files into a warehouse",
  positional: {
    name: "root",
    help: "folders of sessions, or Pi's agent folder [every place where Pi keeps sessions]",
    isMany: true,
  },
  options: {
    db: commonOptions.db,
    parquet: {
      kind: "text",
      help: "folder of Parquet files, with its warehouse inside, instead of --db",
      isPath: true,
    },
    machine: { kind: "text", help: "name of this machine [host name, fixed at the first load]" },
    "time-zone": { kind: "text", help: "zone that days follow [this machine's, fixed at the first load]" },
    content: { kind: "text", help: "full, or none to keep no text, only sizes and numbers [full]" },
    jobs: { kind: "text", help: "most workers that read at the same time [cores, at most 4]" },
    full: { kind: "flag", help: "read all files again" },
    verify: { kind: "flag", help: "compare files by their bytes instead of size and times" },
    strict: { kind: "flag", help: "exit 3 when lines were rejected" },
    archives: { kind: "flag", help: "also .jsonl.gz, .bak, reset and deleted copies" },
    models: { kind: "text", help: "models.json with prices for models that have none", isPath: true },
    "dry-run": { kind: "flag", help: "say what would be loaded, write nothing" },
    json: commonOptions.json,
  },
  examples: [
    ["piquet ingest", "load Pi's sessions of this user"],
    ["piquet ingest ~/.pi/agent /srv/team-sessions", "load other folders"],
    ["piquet ingest --content none --parquet ./lake", "numbers alone, as Parquet"],
    ["piquet ingest --json --quiet", "for a nightly job: one report object"],
  ],
  run: async (context) => {
    const config = ingestConfig(context.positionals, context.settings, context.world);
    const run = await import("../run.js");
    const report = await run.ingest(config, {
      log: context.log,
      signal: context.signal,
      ...(context.showProgress !== null && !config.isJson && { onProgress: context.showProgress }),
    });
    await printReport(report, config.parquetDir ?? config.dbPath, config.isJson, context);
    const isDoubtful = report.failed_checks.length > 0 || (config.isStrict && report.rejects > 0);
    return isDoubtful ? EXIT_CHECK_FAILED : EXIT_OK;
  },
};

async function printReport(
  report: LoadReport,
  target: string,
  isJson: boolean,
  context: CommandContext,
): Promise<void> {
  if (isJson) return context.print(`${JSON.stringify(report)}\n`);
  for (const warning of report.warnings) context.log.warn(warning);
  return context.print(summary(report, target));
}

/** The report for a person. */
export function summary(report: LoadReport, target: string): string {
  const { files } = report;
  const others = (["unchanged", "skipped", "missing", "failed"] as const)
    .filter((kind) => files[kind] > 0)
    .map((kind) => `${whole(files[kind])} ${kind}`);
  const rows = Object.entries(report.rows)
    .filter(([, count]) => count > 0)
    .map(([table, count]) => `${whole(count)} ${table}`);
  const lines = [
    `Loaded ${whole(files.loaded)} of ${whole(files.seen)} files${others.length > 0 ? ` (${others.join(", ")})` : ""}`,
    `  read   ${readableBytes(report.bytes_read)} in ${(report.duration_ms / 1_000).toFixed(1)} s`,
    `  rows   ${rows.length > 0 ? rows.join(", ") : "none new"}`,
    ...(report.copies > 0
      ? [`  copies ${whole(report.copies)} entries that forks wrote again, counted once`]
      : []),
    ...(report.rejects > 0 ? [`  rejected ${whole(report.rejects)} lines; see v1.data_quality`] : []),
    ...(report.pending_tails > 0 ? [`  still being written: ${whole(report.pending_tails)} files`] : []),
    ...(report.failed_checks.length > 0
      ? [`  failed checks: ${report.failed_checks.join(", ")}; \`piquet check\` shows them`]
      : []),
    `  into   ${target}`,
  ];
  return `${lines.join("\n")}\n`;
}

function whole(count: number): string {
  return count.toLocaleString("en");
}
