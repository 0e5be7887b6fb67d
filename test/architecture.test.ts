import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

const STAGES = ["discover", "extract", "transform", "load", "views", "query", "publish"];
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s+"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|(?:^|\n)import\s+"([^"]+)"/g;

interface Source {
  readonly path: string;
  readonly text: string;
  /** Files of this repository as paths, anything else as written. */
  readonly imports: readonly string[];
}

function readSources(folder: string): readonly Source[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => {
      const path = join(folder, name);
      const text = readFileSync(path, "utf8");
      const imports = [...text.matchAll(IMPORT)].map((found) => found[1] ?? found[2] ?? found[3] ?? "");
      return { path, text, imports: imports.map((target) => resolved(path, target)) };
    });
}

function resolved(from: string, target: string): string {
  return target.startsWith(".") ? normalize(join(dirname(from), target)).replace(/\.js$/, ".ts") : target;
}

const sources = [...readSources("pipeline"), ...readSources("schema")];

/** Every import that some rule forbids, as `file -> import`. */
function offences(isOffence: (source: Source, target: string) => boolean): readonly string[] {
  return sources.flatMap((source) =>
    source.imports
      .filter((target) => isOffence(source, target))
      .map((target) => `${source.path} -> ${target}`),
  );
}

function stageOf(path: string): string | undefined {
  return STAGES.find((stage) => path.startsWith(`pipeline/${stage}/`));
}

function isIn(path: string, places: readonly string[]): boolean {
  return places.some((place) => (place.endsWith("/") ? path.startsWith(place) : path === place));
}

function importersOf(packageName: string): (source: Source, target: string) => boolean {
  return (_source, target) => target === packageName || target.startsWith(`${packageName}/`);
}

describe("imports", () => {
  it("are found at all", () => {
    expect(offences((_source, target) => target === "pipeline/errors.ts").length).toBeGreaterThan(5);
  });

  it("of a stage stay in its folder, the schema, flow.ts and errors.ts", () => {
    const shared = ["pipeline/flow.ts", "pipeline/errors.ts", "schema/"];
    const wrong = offences((source, target) => {
      const stage = stageOf(source.path);
      const isOwn = target.startsWith("pipeline/") || target.startsWith("schema/");
      return stage !== undefined && isOwn && !isIn(target, [...shared, `pipeline/${stage}/`]);
    });
    expect(wrong).toEqual([]);
  });

  it("of the schema stay in the schema", () => {
    expect(
      offences((source, target) => source.path.startsWith("schema/") && !target.startsWith("schema/")),
    ).toEqual([]);
  });

  it("of DuckDB are in the stages that work with it", () => {
    const places = ["load", "views", "query", "publish"].map((stage) => `pipeline/${stage}/`);
    const wrong = offences((source, target) => target.startsWith("@duckdb/") && !isIn(source.path, places));
    expect(wrong).toEqual([]);
  });

  it("of Arrow are where batches are made and loaded", () => {
    const places = ["pipeline/transform/record-batches.ts", "pipeline/load/"];
    const isArrow = importersOf("apache-arrow");
    expect(offences((source, target) => isArrow(source, target) && !isIn(source.path, places))).toEqual([]);
  });

  it("of pino are in log.ts", () => {
    const isPino = importersOf("pino");
    expect(offences((source, target) => isPino(source, target) && source.path !== "pipeline/log.ts")).toEqual(
      [],
    );
  });

  it("never lead from one command to another, nor from a stage to the command line", () => {
    const frame = [
      "pipeline/commands/command.ts",
      "pipeline/commands/describe.ts",
      "pipeline/commands/output-file.ts",
    ];
    const wrong = offences(
      (source, target) =>
        target.startsWith("pipeline/commands/") &&
        !isIn(source.path, ["pipeline/cli.ts", "pipeline/commands/index.ts"]) &&
        !isIn(target, frame),
    );
    expect(wrong).toEqual([]);
  });

  it("never bring DuckDB into a worker thread, where a second instance loses rows silently", () => {
    const byPath = new Map(sources.map((source) => [source.path, source]));
    const reached = new Set<string>();
    const visit = (path: string): void => {
      if (reached.has(path)) return;
      reached.add(path);
      byPath.get(path)?.imports.forEach(visit);
    };
    visit("pipeline/extract-worker.ts");
    expect([...reached].filter((target) => target.startsWith("@duckdb/"))).toEqual([]);
  });
});

describe("the process", () => {
  it("is asked for its arguments and environment by cli.ts alone", () => {
    const asking = sources
      .filter((source) => /\bprocess\.(argv|env)\b/.test(source.text))
      .map(({ path }) => path);
    expect(asking).toEqual(["pipeline/cli.ts"]);
  });
});

describe("files", () => {
  it("of the program stay under 250 lines", () => {
    const long = sources.filter(({ text }) => text.split("\n").length > 251).map(({ path }) => path);
    expect(long).toEqual([]);
  });
});
