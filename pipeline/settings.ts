import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { PipelineError } from "./errors.js";

/** What the process knows of its surroundings; read once by the command line, so that nothing else asks. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  readonly workDir: string;
  readonly hostName: string;
  readonly timeZone: string;
  readonly coreCount: number;
  readonly memoryBytes: number;
  readonly tempDir: string;
}

/** A value somebody gave, with the words that name its place in an error message. */
interface Setting {
  readonly value: unknown;
  readonly origin: string;
  readonly rank: number;
  readonly baseDir: string;
}

/** Given values by flag name (`time-zone`), each from the strongest place that has one. */
export type Settings = ReadonlyMap<string, Setting>;

const VARIABLE_START = "PIQUET_";

const RANK_FLAG = 2;
const RANK_ENVIRONMENT = 1;
const RANK_FILE = 0;

/** Settings that are no flags: they stand in the config file alone. */
const FILE_SETTINGS: readonly string[] = ["projects"];

/**
 * Joins flags, `PIQUET_*` variables and the config file, in this order of strength. An empty variable
 * counts as not given. `flagNames` are settings that are read from flags alone. Throws `USAGE` for a config
 * file that is no JSON object or has a name that is not in `names`.
 */
export function readSettings(
  flags: Readonly<Record<string, unknown>>,
  names: readonly string[],
  flagNames: readonly string[],
  world: World,
): Settings {
  const file = readConfigFile(world);
  const known = [...names, ...FILE_SETTINGS];
  const unknown = Object.keys(file.values).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new PipelineError("USAGE", `${file.path}: there is no setting "${unknown}"`);

  const fromFile = (name: string): Setting | undefined =>
    setting(file.values[name], `"${name}" in ${file.path}`, RANK_FILE, dirname(file.path));
  const fromFlag = (name: string): Setting | undefined =>
    setting(flags[name], `--${name}`, RANK_FLAG, world.workDir);
  const settings = new Map<string, Setting>();
  for (const name of [...names, ...flagNames]) {
    const variable = variableOf(name);
    const elsewhere = flagNames.includes(name)
      ? []
      : [
          setting(world.env[variable] || undefined, variable, RANK_ENVIRONMENT, world.workDir),
          fromFile(name),
        ];
    const found = [fromFlag(name), ...elsewhere].find((candidate) => candidate !== undefined);
    if (found !== undefined) settings.set(name, found);
  }
  for (const name of FILE_SETTINGS) {
    const found = fromFile(name);
    if (found !== undefined) settings.set(name, found);
  }
  return settings;
}

function setting(value: unknown, origin: string, rank: number, baseDir: string): Setting | undefined {
  return value === undefined ? undefined : { value, origin, rank, baseDir };
}

/** Where a setting was given: the flag, the variable or the config file; null where it was not. */
export function placeOf(
  settings: Settings,
  name: string,
  world: World,
): { source: "flag" | "environment" | "file"; place: string } | null {
  const given = settings.get(name);
  if (given === undefined) return null;
  if (given.rank === RANK_FILE) return { source: "file", place: configFilePath(world) };
  return { source: given.rank === RANK_FLAG ? "flag" : "environment", place: given.origin };
}

/** `PIQUET_*` variables that no setting reads, as a misspelt one. */
export function unknownVariables(names: readonly string[], world: World): readonly string[] {
  const known = new Set(names.map(variableOf));
  return Object.keys(world.env)
    .filter((name) => name.startsWith(VARIABLE_START) && !known.has(name))
    .toSorted();
}

function variableOf(name: string): string {
  return `${VARIABLE_START}${name.toUpperCase().replaceAll("-", "_")}`;
}

/** Where the config file is looked for; it need not exist. */
export function configFilePath(world: World): string {
  return join(world.env["XDG_CONFIG_HOME"] || join(world.homeDir, ".config"), "piquet", "config.json");
}

function readConfigFile(world: World): { path: string; values: Readonly<Record<string, unknown>> } {
  const path = configFilePath(world);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
    if (code === "ENOENT" || code === "ENOTDIR") return { path, values: {} };
    // It may say where to load to, and that no text is to be kept: going on without it could do harm.
    throw new PipelineError("USAGE", `cannot read ${path}: ${code}`, { cause });
  }
  const values = parseJson(text);
  if (!isRecord(values)) throw new PipelineError("USAGE", `${path} is not a JSON object`);
  return { path, values };
}

/** The value of JSON text, `undefined` where it is none; the parser's own message would quote the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function readText(settings: Settings, name: string): string | null {
  const given = settings.get(name);
  if (given === undefined) return null;
  if (typeof given.value !== "string" || given.value === "") throw wrong(given, "a text", given.value);
  if (given.value.includes("\0"))
    throw wrong(given, "a text without NUL", given.value.replaceAll("\0", "\\0"));
  return given.value;
}

export function readFlag(settings: Settings, name: string): boolean {
  const given = settings.get(name);
  if (given === undefined) return false;
  if (given.value === true || given.value === "true" || given.value === "1") return true;
  if (given.value === false || given.value === "false" || given.value === "0") return false;
  throw wrong(given, "true or false", given.value);
}

/** A whole number from 1 to `max`. */
export function readCount(settings: Settings, name: string, max: number): number | null {
  const given = settings.get(name);
  if (given === undefined) return null;
  const count = /^\d+$/.test(String(given.value)) ? Number(given.value) : Number.NaN;
  if (!(count >= 1 && count <= max)) throw wrong(given, `a whole number from 1 to ${max}`, given.value);
  return count;
}

export function readChoice<Choice extends string>(
  settings: Settings,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const given = settings.get(name);
  if (given === undefined) return null;
  const choice = choices.find((candidate) => candidate === given.value);
  if (choice === undefined) throw wrong(given, `one of ${choices.join(", ")}`, given.value);
  return choice;
}

/**
 * An absolute path. A relative one starts at the working directory, in the config file at that file's
 * folder; `~/` is the home directory. Throws `USAGE` for a URL.
 */
export function readPath(settings: Settings, name: string, world: World): string | null {
  const given = settings.get(name);
  const text = readText(settings, name);
  if (given === undefined || text === null) return null;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) throw wrong(given, "a local path", withoutCredentials(text));
  return resolvePath(text, given.baseDir, world.homeDir);
}

export function resolvePath(text: string, baseDir: string, homeDir: string): string {
  if (text === "~") return homeDir;
  return resolve(baseDir, text.startsWith("~/") ? join(homeDir, text.slice(2)) : text);
}

/**
 * Of two settings that shut each other out, the one that was given in the stronger place; both in one
 * place is `USAGE`.
 */
export function pickOne(settings: Settings, one: string, other: string): string | null {
  const [first, second] = [settings.get(one), settings.get(other)];
  if (first === undefined || second === undefined) {
    return first === undefined ? (second === undefined ? null : other) : one;
  }
  if (first.rank === second.rank) {
    throw new PipelineError("USAGE", `${first.origin} and ${second.origin} cannot be given together`);
  }
  return first.rank > second.rank ? one : other;
}

/** The error for a setting that has a wrong value; it names the place where the value was given. */
export function wrongSetting(
  settings: Settings,
  name: string,
  expected: string,
  found: unknown,
): PipelineError {
  const given = settings.get(name);
  return given === undefined
    ? new PipelineError("USAGE", `--${name}: expected ${expected}, found ${shown(found)}`)
    : wrong(given, expected, found);
}

function wrong(given: Setting, expected: string, found: unknown): PipelineError {
  return new PipelineError("USAGE", `${given.origin}: expected ${expected}, found ${shown(found)}`);
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return `${value.length} values`;
  return value === "" ? "nothing" : String(value);
}

/** A URL without its user and password, fit for a message. */
export function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^/]*@/, "//");
}
