import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ingest } from "../pipeline/commands/ingest.js";
import { type IngestConfig, ingestConfig } from "../pipeline/config.js";
import { readSettings } from "../pipeline/settings.js";
import { surroundingsIn } from "./support/surroundings.js";
import { tempFolder } from "./support/temp-folder.js";

interface Given {
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly roots?: readonly string[];
}

function configIn(folder: string, given: Given = {}): IngestConfig {
  const world = surroundingsIn(folder, given.env);
  return ingestConfig(
    given.roots ?? [],
    readSettings(given.flags ?? {}, Object.keys(ingest.options), [], world),
    world,
  );
}

function homeWithSessions(files: Readonly<Record<string, string>> = {}): string {
  const home = tempFolder(files);
  mkdirSync(join(home, ".pi/agent/sessions"), { recursive: true });
  return home;
}

describe("ingestConfig", () => {
  it("has a default for everything", () => {
    const home = homeWithSessions();
    expect(configIn(home)).toEqual({
      roots: [join(home, ".pi/agent/sessions")],
      dbPath: join(home, ".local/share/piquet/warehouse.duckdb"),
      parquetDir: null,
      machine: null,
      defaultMachine: "ada-laptop",
      timeZone: null,
      defaultTimeZone: "Europe/Berlin",
      content: "full",
      jobs: 2,
      isFull: false,
      isVerify: false,
      isStrict: false,
      withArchives: false,
      modelsPath: null,
      projects: [],
      isDryRun: false,
      isJson: false,
      homeDir: home,
      agentDir: join(home, ".pi/agent"),
      memoryBytes: 8 * 2 ** 30,
    });
  });

  it("prefers a flag to the environment, that to the config file, and that to the default", () => {
    const home = homeWithSessions({
      ".config/piquet/config.json": '{"machine": "file", "content": "none", "jobs": 3, "db": "w.duckdb"}',
    });
    const config = configIn(home, {
      flags: { machine: "flag" },
      env: { PIQUET_MACHINE: "variable", PIQUET_CONTENT: "full" },
    });
    expect([config.machine, config.content, config.jobs]).toEqual(["flag", "full", 3]);
    expect(config.dbPath).toBe(join(home, ".config/piquet/w.duckdb"));
  });

  it("reads the config file and writes the warehouse where XDG says", () => {
    const home = homeWithSessions({ "etc/piquet/config.json": '{"strict": true}' });
    const env = { XDG_CONFIG_HOME: join(home, "etc"), XDG_DATA_HOME: join(home, "data") };
    const config = configIn(home, { env });
    expect([config.isStrict, config.dbPath]).toEqual([true, join(home, "data/piquet/warehouse.duckdb")]);
  });

  it("keeps the warehouse of a Parquet folder inside it", () => {
    const home = homeWithSessions();
    const config = configIn(home, { flags: { parquet: "lake" } });
    expect([config.parquetDir, config.dbPath]).toEqual([
      join(home, "lake"),
      join(home, "lake/.piquet/warehouse.duckdb"),
    ]);
  });

  it("lets a flag for one target silence a variable for the other, and refuses two flags", () => {
    const home = homeWithSessions();
    const env = { PIQUET_PARQUET: "lake" };
    expect(configIn(home, { env, flags: { db: "w.duckdb" } }).parquetDir).toBeNull();
    expect(() => configIn(home, { flags: { db: "w.duckdb", parquet: "lake" } })).toThrow(
      "--parquet and --db cannot be given together",
    );
  });

  it("looks for sessions in every place that Pi may use, once", () => {
    const home = homeWithSessions({
      "pi/settings.json": '{"sessionDir": "~/flat"}',
      "pi/sessions/a.jsonl": "",
      "flat/b.jsonl": "",
    });
    const env = {
      PI_CODING_AGENT_DIR: join(home, "pi"),
      PI_CODING_AGENT_SESSION_DIR: join(home, "pi/../flat"),
    };
    expect(configIn(home, { env }).roots).toEqual([
      join(home, "flat"),
      join(home, "pi/sessions"),
      join(home, ".pi/agent/sessions"),
    ]);
  });

  it("says where it looked when there are no sessions", () => {
    const home = tempFolder();
    expect(() => configIn(home)).toThrow(
      `no session folder found; looked at ${join(home, ".pi/agent/sessions")}`,
    );
  });

  it("refuses a root that does not exist and a root that is a URL, without its password", () => {
    const home = homeWithSessions();
    expect(() => configIn(home, { roots: [".pi", "nowhere"] })).toThrow(
      `no such folder: ${join(home, "nowhere")}`,
    );
    expect(() => configIn(home, { roots: ["s3://ada:hunter2@bucket/x"] })).toThrow(
      "a root is a local folder, not s3://bucket/x",
    );
  });

  it.each(["base.duckdb", "core.duckdb", "V1.db", "v1.2.duckdb", "memory", "temp.x", "system.duckdb"])(
    "refuses a warehouse called %s",
    (name) => {
      const home = homeWithSessions();
      expect(() => configIn(home, { flags: { db: name } })).toThrow(
        `--db: expected a file not called base, core, v1, memory, temp, system, found ${name}`,
      );
    },
  );

  it.each<[string, Record<string, unknown>, string]>([
    [
      "a folder with a question mark",
      { db: "/a?b/w.duckdb" },
      "--db: DuckDB cannot open a folder with a question mark: /a?b/w.duckdb",
    ],
    [
      "a warehouse behind a URL",
      { db: "s3://ada:hunter2@b/w" },
      "--db: expected a local path, found s3://b/w",
    ],
    ["a warehouse in memory", { db: ":memory:" }, "--db: expected a file, found :memory:"],
    ["an empty name", { db: "" }, "--db: expected a text, found nothing"],
    ["a flag given twice", { db: ["a", "b"] }, "--db: expected a text, found 2 values"],
    ["no number of jobs", { jobs: "many" }, "--jobs: expected a whole number from 1 to 64, found many"],
    ["no job at all", { jobs: "0" }, "--jobs: expected a whole number from 1 to 64, found 0"],
    ["an unknown content option", { content: "some" }, "--content: expected one of full, none, found some"],
    [
      "an unknown zone",
      { "time-zone": "Mars/Olympus" },
      "--time-zone: expected a zone such as Europe/Berlin or UTC, found Mars/Olympus",
    ],
    [
      "an offset as zone",
      { "time-zone": "+02:00" },
      "--time-zone: expected a zone such as Europe/Berlin or UTC, found +02:00",
    ],
    [
      "a machine with a slash",
      { machine: "a/b" },
      "--machine: expected a name of at most 128 characters without slashes, found a/b",
    ],
  ])("refuses %s", (_what, flags, message) => {
    const home = homeWithSessions();
    expect(() => configIn(home, { flags })).toThrow(message);
  });

  it("names the variable or the file that holds a wrong value", () => {
    const home = homeWithSessions({ ".config/piquet/config.json": '{"content": "all"}' });
    const file = join(home, ".config/piquet/config.json");
    expect(() => configIn(home)).toThrow(`"content" in ${file}: expected one of full, none, found all`);
    expect(() => configIn(home, { env: { PIQUET_STRICT: "maybe", PIQUET_CONTENT: "full" } })).toThrow(
      "PIQUET_STRICT: expected true or false, found maybe",
    );
  });

  it.each([
    ['{"tiem-zone": "UTC"}', 'there is no setting "tiem-zone"'],
    ["{", "is not a JSON object"],
  ])("refuses the config file %s", (text, message) => {
    const home = homeWithSessions({ ".config/piquet/config.json": text });
    expect(() => configIn(home)).toThrow(message);
  });

  it("reads a mapping of folders to projects from the config file alone", () => {
    const config = { projects: { "~/trees/*": "~/shop/", "D:\\work": "/home/ada/shop" } };
    const home = homeWithSessions({ ".config/piquet/config.json": JSON.stringify(config) });
    const env = { PIQUET_PROJECTS: "{}" };
    expect(configIn(home, { env, flags: { projects: "x" } }).projects).toEqual([
      { folders: join(home, "trees/*"), projectPath: join(home, "shop") },
      { folders: "D:\\work", projectPath: "/home/ada/shop" },
    ]);
  });

  it.each([
    ['["/home/ada/shop"]', "expected an object of folders and their projects"],
    ['{"/home/ada/old": 7}', 'expected a folder for "/home/ada/old"'],
    ['{"/home/ada/old": ""}', 'expected a folder for "/home/ada/old"'],
  ])("refuses the mapping %s", (projects, message) => {
    const home = homeWithSessions({ ".config/piquet/config.json": `{"projects": ${projects}}` });
    expect(() => configIn(home)).toThrow(
      `"projects" in ${join(home, ".config/piquet/config.json")}: ${message}`,
    );
  });

  it("takes an agent folder or a sessions folder as a root", () => {
    const home = homeWithSessions();
    expect(configIn(home, { roots: [".pi/agent", "~/.pi/agent/sessions"] }).roots).toEqual([
      join(home, ".pi/agent"),
      join(home, ".pi/agent/sessions"),
    ]);
  });
});
