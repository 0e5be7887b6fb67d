import { EXIT_OK, PipelineError } from "../errors.js";
import { readChoice } from "../settings.js";
import type { Command } from "./command.js";

export const ddl: Command = {
  name: "ddl",
  summary: "print the views as SQL over a published lake, for ClickHouse or DuckDB",
  positional: null,
  options: {
    engine: { kind: "text", help: "clickhouse or duckdb" },
    lake: { kind: "text", help: "folder, or s3://bucket/prefix, that was published to" },
  },
  examples: [
    ["piquet ddl --engine clickhouse --lake s3://team-lake/pi | clickhouse client", "after each publication"],
    ["piquet ddl --engine duckdb --lake ./lake > lake.sql", "for another DuckDB"],
  ],
  run: async ({ settings, world, signal, print }) => {
    const { ENGINES, lakeDdl } = await import("../lake-ddl.js");
    const engine = readChoice(settings, "engine", ENGINES);
    if (engine === null) throw new PipelineError("USAGE", `--engine is missing: ${ENGINES.join(" or ")}`);
    const { openStore } = await import("../open-store.js");
    const { readLake } = await import("../publish/read-lake.js");
    const { store, address } = await openStore(settings, "lake", world, signal);
    try {
      await print(lakeDdl(engine, await readLake(store), await address()));
    } finally {
      store.close();
    }
    return EXIT_OK;
  },
};
