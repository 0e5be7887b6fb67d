import type { Command, Option } from "./commands/command.js";
import { ingestSettings } from "./config.js";
import { PipelineError } from "./errors.js";
import { commonFlags } from "./parse-args.js";
import { PROJECTS } from "./projects.js";
import { findRoots } from "./roots.js";
import {
  placeOf,
  readFlag,
  readPath,
  readText,
  type Settings,
  type World,
  withoutCredentials,
} from "./settings.js";

export type SettingValue =
  | string
  | number
  | boolean
  | readonly string[]
  | Readonly<Record<string, string>>
  | null;

/** A setting as a run would have it, and what it has that from. */
export interface EffectiveSetting {
  readonly name: string;
  readonly value: SettingValue;
  readonly source: "flag" | "environment" | "file" | "warehouse" | "default";
  /** The flag, the variable, the file; null for defaults. */
  readonly place: string | null;
  /** What the help says of a default that is no single value, or of a value that could not be found. */
  readonly note: string | null;
}

/** Zone and machine as the warehouse has them, which hold until others are given. */
export interface WarehouseFacts {
  readonly machine: string | null;
  readonly timeZone: string | null;
  /** Why they are not known. */
  readonly problem: string | null;
}

interface Known {
  readonly value: SettingValue;
  readonly source?: "warehouse";
  readonly place?: string;
  readonly note?: string | null;
}

/**
 * Every setting that can stand in the environment or the config file, by name, roots and projects first.
 * Throws `USAGE`, as a run would, for a value that cannot be.
 */
export function effectiveSettings(
  commands: readonly Command[],
  settings: Settings,
  world: World,
  facts: WarehouseFacts,
): readonly EffectiveSetting[] {
  const known = knownValues(settings, world, facts);
  const options = new Map<string, Option>(
    [commonFlags, ...commands.map((command) => command.options)].flatMap((one) => Object.entries(one)),
  );
  const rows = [...options]
    .filter(([, option]) => option.isFlagOnly === undefined)
    .map(([name, option]) => {
      const own = known.get(name) ?? {
        value: valueOf(name, option, settings, world),
        note: defaultsOf(name, commands),
      };
      return effective(name, own, settings, world);
    });
  const projects = effective(PROJECTS, known.get(PROJECTS) ?? { value: {} }, settings, world);
  return [rootsOf(world), projects, ...rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))];
}

/** What a load makes of its settings. */
function knownValues(settings: Settings, world: World, facts: WarehouseFacts): Map<string, Known> {
  const ingest = ingestSettings(settings, world);
  const projects = ingest.projects.map(({ folders, projectPath }) => [folders, projectPath]);
  return new Map<string, Known>([
    ["db", { value: ingest.dbPath, note: ingest.parquetDir === null ? null : "inside the Parquet folder" }],
    ["parquet", { value: ingest.parquetDir }],
    ["jobs", { value: ingest.jobs }],
    ["machine", fixedAtFirst(ingest.machine, facts.machine, ingest.defaultMachine, facts)],
    ["time-zone", fixedAtFirst(ingest.timeZone, facts.timeZone, ingest.defaultTimeZone, facts)],
    ["models", { value: ingest.modelsPath }],
    [PROJECTS, { value: Object.fromEntries(projects) }],
  ]);
}

function fixedAtFirst(
  given: string | null,
  held: string | null,
  first: string,
  facts: WarehouseFacts,
): Known {
  if (given !== null) return { value: given };
  if (held !== null) return { value: held, source: "warehouse" };
  if (facts.problem !== null) return { value: null, note: `the warehouse's own; ${facts.problem}` };
  return { value: first, note: "then fixed by the first load" };
}

function effective(name: string, known: Known, settings: Settings, world: World): EffectiveSetting {
  const given = placeOf(settings, name, world);
  return {
    name,
    value: known.value,
    source: given?.source ?? known.source ?? "default",
    place: given?.place ?? null,
    note: given === null || name === "db" ? (known.note ?? null) : null,
  };
}

function valueOf(name: string, option: Option, settings: Settings, world: World): SettingValue {
  if (option.kind === "flag") return readFlag(settings, name);
  if (option.isPath === true) return readPath(settings, name, world);
  const text = readText(settings, name);
  return text === null ? null : withoutCredentials(text);
}

/** The default in brackets that ends an option's help; with more than one meaning, by command. */
function defaultsOf(name: string, commands: readonly Command[]): string | null {
  const found = commands.flatMap((command) => {
    const words = /\[([^\]]*)\]$/.exec(command.options[name]?.help ?? "")?.[1];
    return words === undefined ? [] : [{ command: command.name, words }];
  });
  const distinct = new Set(found.map(({ words }) => words));
  if (distinct.size < 2) return found[0]?.words ?? null;
  return found.map(({ command, words }) => `${words} (${command})`).join(", ");
}

/** Folders that a load without a root looks into. */
function rootsOf(world: World): EffectiveSetting {
  const row = (value: readonly string[], note: string | null): EffectiveSetting => ({
    name: "roots",
    value,
    source: "default",
    place: null,
    note,
  });
  try {
    return row(findRoots([], world), null);
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    return row([], error.message);
  }
}
