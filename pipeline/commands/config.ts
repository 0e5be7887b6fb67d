import { existsSync } from "node:fs";
import { targetOf } from "../config.js";
import { type EffectiveSetting, effectiveSettings, type WarehouseFacts } from "../effective-settings.js";
import { EXIT_OK, PipelineError } from "../errors.js";
import { configFilePath, readFlag, unknownVariables } from "../settings.js";
import { type Command, type CommandContext, commonOptions, type Option } from "./command.js";

/** The command that shows the settings of these commands; it takes their options, to show what they would do. */
export function configOf(commands: readonly Command[]): Command {
  const options = new Map<string, Option>(
    commands.toReversed().flatMap((command) => Object.entries(command.options)),
  );
  return {
    name: "config",
    summary: "show the settings in force, and where each comes from",
    positional: null,
    options: {
      ...Object.fromEntries([...options].filter(([, option]) => option.isFlagOnly === undefined)),
      json: commonOptions.json,
    },
    examples: [
      ["piquet config", "what a load of this user would work with"],
      [
        "env -i HOME=$HOME PATH=$PATH piquet config",
        "without this terminal's variables, as in a nightly job",
      ],
      ["piquet config --json", "for a script"],
    ],
    run: async (context) => {
      const { settings, world } = context;
      const facts = await readFacts(context);
      const rows = effectiveSettings(commands, settings, world, facts);
      const path = configFilePath(world);
      const shown = {
        config_file: { path, is_there: existsSync(path) },
        settings: rows,
        unknown_variables: unknownVariables(
          rows.map(({ name }) => name),
          world,
        ),
      };
      await context.print(readFlag(settings, "json") ? `${JSON.stringify(shown, null, 2)}\n` : textOf(shown));
      return EXIT_OK;
    },
  };
}

async function readFacts({ settings, world }: CommandContext): Promise<WarehouseFacts> {
  const nothing = { machine: null, timeZone: null, problem: null };
  const { dbPath } = targetOf(settings, world);
  if (!existsSync(dbPath)) return nothing;
  const { openWarehouse } = await import("../query/open-warehouse.js");
  try {
    const warehouse = await openWarehouse({
      dbPath,
      isUnsafe: false,
      allowedPaths: [],
      memoryLimitBytes: world.memoryBytes / 4,
      tempDir: world.tempDir,
    });
    try {
      const reader = await warehouse.connection.runAndReadAll("select key, value from meta.settings");
      const held = new Map(reader.getRowsJson().map(([key, value]) => [key, value]));
      const setting = (key: string): string | null => {
        const value = held.get(key);
        return typeof value === "string" ? value : null;
      };
      return { machine: setting("machine"), timeZone: setting("time_zone"), problem: null };
    } finally {
      warehouse.close();
    }
  } catch (error) {
    const reason = error instanceof PipelineError ? error.message : "it holds no load";
    return { ...nothing, problem: reason };
  }
}

interface Shown {
  readonly config_file: { readonly path: string; readonly is_there: boolean };
  readonly settings: readonly EffectiveSetting[];
  readonly unknown_variables: readonly string[];
}

function textOf({ config_file: file, settings, unknown_variables: unknown }: Shown): string {
  const rows = settings.flatMap(linesOf);
  const widths = [0, 1].map((index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return [
    `config file: ${file.path}${file.is_there ? "" : " (not there)"}`,
    "",
    ...lines,
    ...(unknown.length > 0 ? ["", `no setting reads ${unknown.join(", ")}`] : []),
    "",
  ].join("\n");
}

/** Name, value, origin; further values of a list on lines of their own. */
function linesOf(setting: EffectiveSetting): string[][] {
  const [first = "-", ...others] = shownValues(setting);
  const origin = setting.place ?? (setting.source === "warehouse" ? "the warehouse" : "default");
  const note = setting.note === null ? origin : `${origin}: ${setting.note}`;
  return [[setting.name, first, note], ...others.map((value) => ["", value])];
}

function shownValues({ value }: EffectiveSetting): string[] {
  if (value === null) return [];
  if (typeof value !== "object") return [String(value)];
  if (isList(value)) return [...value];
  return Object.entries(value).map(([folders, project]) => `${folders} -> ${project}`);
}

function isList(value: object): value is readonly string[] {
  return Array.isArray(value);
}
