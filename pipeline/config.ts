import { basename, dirname, join } from "node:path";
import { PipelineError } from "./errors.js";
import type { ContentOption, ProjectRule } from "./flow.js";
import { readProjects } from "./projects.js";
import { agentDirOf, findRoots } from "./roots.js";
import {
  pickOne,
  readChoice,
  readCount,
  readFlag,
  readPath,
  readText,
  type Settings,
  type World,
  wrongSetting,
} from "./settings.js";

export const CONTENT_OPTIONS: readonly ContentOption[] = ["full", "none"];

/** Everything a load has to know, decided before it starts. Paths are absolute. */
export interface IngestConfig {
  /** Existing folders or files, as given or by default. */
  readonly roots: readonly string[];
  readonly dbPath: string;
  /** Folder that is published to after the load; its warehouse is then `dbPath`, inside it. */
  readonly parquetDir: string | null;
  /** Name given for this machine; without one the warehouse's own holds, at the first load `defaultMachine`. */
  readonly machine: string | null;
  readonly defaultMachine: string;
  /** Zone given for days; without one the warehouse's own holds, at the first load `defaultTimeZone`. */
  readonly timeZone: string | null;
  readonly defaultTimeZone: string;
  readonly content: ContentOption;
  /** Most workers that read files at the same time. */
  readonly jobs: number;
  /** Read every file again, changed or not. */
  readonly isFull: boolean;
  /** Compare files by the hash of their bytes, whatever their times and sizes say. */
  readonly isVerify: boolean;
  readonly isStrict: boolean;
  readonly withArchives: boolean;
  readonly modelsPath: string | null;
  /** Which folder belongs to which project. */
  readonly projects: readonly ProjectRule[];
  readonly isDryRun: boolean;
  readonly isJson: boolean;
  readonly homeDir: string;
  readonly agentDir: string;
  /** Memory of the machine, or of the container it runs in. */
  readonly memoryBytes: number;
}

/** More threads than this only wait for the one that writes. */
const DEFAULT_MAX_JOBS = 4;
const MAX_JOBS = 64;

/** Throws `USAGE` for a value that cannot be, and where no root exists. */
export function ingestConfig(givenRoots: readonly string[], settings: Settings, world: World): IngestConfig {
  return Object.freeze({
    roots: Object.freeze(findRoots(givenRoots, world)),
    ...ingestSettings(settings, world),
  });
}

/** The same without the roots, for a look at settings where there may be none. */
export function ingestSettings(settings: Settings, world: World): Omit<IngestConfig, "roots"> {
  return {
    ...targetOf(settings, world),
    machine: machineName(settings),
    defaultMachine: world.hostName.replaceAll(/[\\/\p{Cc}]/gu, "-") || "unknown",
    timeZone: timeZone(settings),
    defaultTimeZone: world.timeZone,
    content: readChoice(settings, "content", CONTENT_OPTIONS) ?? "full",
    jobs: readCount(settings, "jobs", MAX_JOBS) ?? Math.min(world.coreCount, DEFAULT_MAX_JOBS),
    isFull: readFlag(settings, "full"),
    isVerify: readFlag(settings, "verify"),
    isStrict: readFlag(settings, "strict"),
    withArchives: readFlag(settings, "archives"),
    modelsPath: readPath(settings, "models", world),
    projects: readProjects(settings, world),
    isDryRun: readFlag(settings, "dry-run"),
    isJson: readFlag(settings, "json"),
    homeDir: world.homeDir,
    agentDir: agentDirOf(world),
    memoryBytes: world.memoryBytes,
  };
}

/** The warehouse to write to, and the Parquet folder around it where `--parquet` or its like names one. */
export function targetOf(settings: Settings, world: World): Pick<IngestConfig, "dbPath" | "parquetDir"> {
  const parquetDir =
    pickOne(settings, "parquet", "db") === "parquet" ? readPath(settings, "parquet", world) : null;
  if (parquetDir === null) return { dbPath: warehousePath(settings, world), parquetDir };
  refuseQuestionMark(parquetDir, "--parquet");
  return { dbPath: join(parquetDir, ".piquet", "warehouse.duckdb"), parquetDir };
}

/** The warehouse file that `--db` names, else the one in the user's data folder. Throws as `databasePath`. */
export function warehousePath(settings: Settings, world: World): string {
  return databasePath(settings, "db", world) ?? defaultWarehousePath(world);
}

/**
 * The database file that a setting names. Throws `USAGE` for names that DuckDB would take for something
 * else: it calls a database after its file, up to the first dot, and a database called like a schema hides
 * that schema; from `?` on a path is a list of options.
 */
export function databasePath(settings: Settings, name: string, world: World): string | null {
  const given = readText(settings, name);
  const path = readPath(settings, name, world);
  if (given === null || path === null) return null;
  if (given.startsWith(":memory:")) throw wrongSetting(settings, name, "a file", given);
  const stem = (basename(path).split(".")[0] ?? "").toLowerCase();
  if (RESERVED_STEMS.has(stem)) {
    throw wrongSetting(settings, name, `a file not called ${[...RESERVED_STEMS].join(", ")}`, given);
  }
  refuseQuestionMark(path, `--${name}`);
  return path;
}

const RESERVED_STEMS: ReadonlySet<string> = new Set(["base", "core", "v1", "memory", "temp", "system"]);

export function defaultWarehousePath(world: World): string {
  const dataHome = world.env["XDG_DATA_HOME"] || join(world.homeDir, ".local", "share");
  return join(dataHome, "piquet", "warehouse.duckdb");
}

function refuseQuestionMark(path: string, flag: string): void {
  if (!path.includes("?")) return;
  const place = dirname(path).includes("?") ? "folder" : "name";
  throw new PipelineError("USAGE", `${flag}: DuckDB cannot open a ${place} with a question mark: ${path}`);
}

/** Names stand in file names of a lake, so separators and control characters are out. */
function machineName(settings: Settings): string | null {
  const name = readText(settings, "machine");
  if (name === null || !/[\\/\p{Cc}]|^\.{1,2}$|^.{129}/u.test(name)) return name;
  throw wrongSetting(settings, "machine", "a name of at most 128 characters without slashes", name);
}

function timeZone(settings: Settings): string | null {
  const zone = readText(settings, "time-zone");
  if (zone === null || isTimeZone(zone)) return zone;
  throw wrongSetting(settings, "time-zone", "a zone such as Europe/Berlin or UTC", zone);
}

/** Offsets such as `+02:00` are known here but not to DuckDB. */
function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
