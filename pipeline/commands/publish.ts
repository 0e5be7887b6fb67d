import { CONTENT_OPTIONS, databasePath, warehousePath } from "../config.js";
import { EXIT_OK } from "../errors.js";
import type { ContentOption } from "../flow.js";
import { readableBytes } from "../progress.js";
import type { PublishReport } from "../publish/publish.js";
import type { Published } from "../publish-warehouse.js";
import { readChoice, readFlag, type Settings } from "../settings.js";
import { type Command, commonOptions } from "./command.js";

export const publish: Command = {
  name: "publish",
  summary: "write a warehouse as Parquet for BI tools, into a folder or a bucket",
  positional: null,
  options: {
    db: commonOptions.db,
    to: { kind: "text", help: "folder, or s3://bucket/prefix; only what changed is written" },
    serving: { kind: "text", help: "file for a copy of the warehouse that readers can open during loads" },
    content: {
      kind: "text",
      help: "none, or full to publish prompts, replies and all other text; as a flag alone [none]",
    },
    json: commonOptions.json,
  },
  examples: [
    ["piquet publish --to ./lake", "numbers alone, for BI tools"],
    ["piquet publish --to s3://team-lake/pi", "into a bucket; credentials as for the AWS command line"],
    ["piquet publish --to ./lake --content full", "with text"],
    ["piquet publish --serving /srv/bi/pi.duckdb", "a DuckDB file for readers, swapped by rename"],
  ],
  run: async (context) => {
    const { settings, world } = context;
    const { publishWarehouse } = await import("../publish-warehouse.js");
    const { openStore } = await import("../open-store.js");
    const servingPath = databasePath(settings, "serving", world);
    const hasLake = settings.has("to") || servingPath === null;
    const lake = hasLake ? (await openStore(settings, "to", world, context.signal)).store : null;
    try {
      const published = await publishWarehouse({
        dbPath: warehousePath(settings, world),
        store: lake,
        servingPath,
        content: contentOf(settings),
        log: context.log,
        signal: context.signal,
        memoryLimitBytes: world.memoryBytes / 2,
        tempDir: world.tempDir,
      });
      await context.print(
        readFlag(settings, "json")
          ? `${JSON.stringify(reportOf(published, servingPath))}\n`
          : summaryOf(published, servingPath),
      );
    } finally {
      lake?.close();
    }
    return EXIT_OK;
  },
};

/** What a variable or the config file says is meant for loads: text leaves the machine on demand alone. */
function contentOf(settings: Settings): ContentOption {
  const isGivenHere = settings.get("content")?.origin === "--content";
  return (isGivenHere ? readChoice(settings, "content", CONTENT_OPTIONS) : null) ?? "none";
}

function reportOf({ lake, isServingWritten }: Published, path: string | null): object {
  return { ...lake, ...(path !== null && { serving: { path, written: isServingWritten } }) };
}

function summaryOf({ lake, isServingWritten }: Published, path: string | null): string {
  const ofLake = lake === null ? "" : lakeSummary(lake);
  if (path === null) return ofLake;
  return `${ofLake}${isServingWritten ? "Wrote a copy for readers" : "The copy for readers is up to date"}: ${path}\n`;
}

function lakeSummary({ files, bytes, bytes_written, content, place }: PublishReport): string {
  const text = content === "full" ? "with text" : "without text";
  const lines = [
    `Published ${files.total} files, ${readableBytes(bytes)}, ${text}`,
    `  written   ${files.written} files, ${readableBytes(bytes_written)}`,
    `  unchanged ${files.unchanged}`,
    ...(files.removed > 0 ? [`  removed   ${files.removed} of earlier runs`] : []),
    `  into      ${place}`,
  ];
  return `${lines.join("\n")}\n`;
}
