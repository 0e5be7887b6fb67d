import { CONTENT_OPTIONS, warehousePath } from "../config.js";
import { EXIT_OK, PipelineError } from "../errors.js";
import { readableBytes } from "../progress.js";
import type { PublishReport } from "../publish/publish.js";
import type { LakeStore } from "../publish/store.js";
import { readChoice, readFlag, readPath, readText } from "../settings.js";
import { type Command, type CommandContext, commonOptions } from "./command.js";

export const publish: Command = {
  name: "publish",
  summary: "write a warehouse as Parquet for BI tools, into a folder or a bucket",
  positional: null,
  options: {
    db: commonOptions.db,
    to: { kind: "text", help: "folder, or s3://bucket/prefix; only what changed is written" },
    content: { kind: "text", help: "none, or full to publish prompts, replies and all other text [none]" },
    json: commonOptions.json,
  },
  examples: [
    ["piquet publish --to ./lake", "numbers alone, for BI tools"],
    ["piquet publish --to s3://team-lake/pi", "into a bucket; credentials as for the AWS command line"],
    ["piquet publish --to ./lake --content full", "with text"],
  ],
  run: async (context) => {
    const { settings, world } = context;
    const { publishWarehouse } = await import("../publish-warehouse.js");
    const store = await lakeStore(context);
    try {
      const report = await publishWarehouse(store, {
        dbPath: warehousePath(settings, world),
        content: readChoice(settings, "content", CONTENT_OPTIONS) ?? "none",
        log: context.log,
        signal: context.signal,
        memoryLimitBytes: world.memoryBytes / 2,
        tempDir: world.tempDir,
      });
      await context.print(readFlag(settings, "json") ? `${JSON.stringify(report)}\n` : summary(report));
    } finally {
      store.close();
    }
    return EXIT_OK;
  },
};

async function lakeStore({ settings, world }: CommandContext): Promise<LakeStore> {
  const text = readText(settings, "to");
  if (text === null) throw new PipelineError("USAGE", "--to is missing: a folder, or s3://bucket/prefix");
  const { readTarget } = await import("../publish/target.js");
  const target = readTarget(text);
  if ("problem" in target) throw new PipelineError("USAGE", `--to: ${target.problem}`);
  if (target.kind === "bucket") throw new PipelineError("USAGE", "--to: expected a folder");
  const folder = readPath(settings, "to", world);
  const { folderStore } = await import("../publish/folder-store.js");
  return folderStore(folder ?? world.workDir);
}

function summary({ files, bytes, bytes_written, content, place }: PublishReport): string {
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
