import { CONTENT_OPTIONS, warehousePath } from "../config.js";
import { EXIT_OK } from "../errors.js";
import { readableBytes } from "../progress.js";
import type { PublishReport } from "../publish/publish.js";
import { readChoice, readFlag } from "../settings.js";
import { type Command, commonOptions } from "./command.js";

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
    const { openStore } = await import("../open-store.js");
    const { store } = await openStore(settings, "to", world);
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
