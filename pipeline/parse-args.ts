import yargs, { type Argv } from "yargs";
import type { Command, Option, Positional } from "./commands/command.js";
import { PipelineError } from "./errors.js";

export interface ParsedArgs {
  readonly command: Command;
  readonly positionals: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
}

export const commonFlags: Readonly<Record<string, Option>> = {
  verbose: { kind: "flag", help: "log more, on standard error" },
  quiet: { kind: "flag", help: "log errors alone" },
};

/**
 * Reads a command line; null where it only asked for help or the version, which is printed. Throws `USAGE` for
 * anything it does not know. No option has a default here: what is not given may stand elsewhere.
 */
export async function parseArgs(
  args: readonly string[],
  commands: readonly Command[],
  version: string,
): Promise<ParsedArgs | null> {
  const found: ParsedArgs[] = [];
  const parser = commands.reduce(
    (argv, command) => addCommand(argv, command, (parsed) => found.push(parsed)),
    baseParser(args, version),
  );
  await parser.parseAsync();
  return found[0] ?? null;
}

function baseParser(args: readonly string[], version: string): Argv {
  return addOptions(yargs([...args]), commonFlags)
    .scriptName("piquet")
    .usage("$0 <command>: session files of the Pi coding agent as a database")
    .parserConfiguration({
      "camel-case-expansion": false,
      "dot-notation": false,
      "parse-numbers": false,
      "parse-positional-numbers": false,
    })
    .locale("en")
    .version(version)
    .help()
    .alias("help", "h")
    .strict()
    .demandCommand(1, "no command given")
    .recommendCommands()
    .example("piquet ingest", "load Pi's sessions of this user")
    .example('piquet sql "from v1.spend_daily"', "ask what they cost")
    .epilogue(
      "Options can also stand in PIQUET_* variables (PIQUET_TIME_ZONE) and in ~/.config/piquet/config.json.\n" +
        "Exit codes: 0 done, 1 failed, 2 wrong use, 3 rejected lines under --strict or a failed check,\n" +
        "4 warehouse newer than this program, 5 warehouse in use.",
    )
    .wrap(100)
    .exitProcess(false)
    .showHelpOnFail(false)
    .fail((message, error) => {
      throw error ?? new PipelineError("USAGE", message);
    });
}

function addCommand(argv: Argv, command: Command, found: (parsed: ParsedArgs) => void): Argv {
  return argv.command(
    [command.name, positionalUsage(command.positional)].filter((part) => part !== "").join(" "),
    command.summary,
    (builder) => {
      const withOptions = addOptions(addPositional(builder, command.positional), command.options);
      return command.examples.reduce((to, [line, meaning]) => to.example(line, meaning), withOptions);
    },
    (parsed: Readonly<Record<string, unknown>>) =>
      found({ command, positionals: positionalsOf(parsed, command.positional), flags: parsed }),
  );
}

function positionalUsage(positional: Positional | null): string {
  if (positional === null) return "";
  return positional.isMany ? `[${positional.name}..]` : `[${positional.name}]`;
}

function addPositional(argv: Argv, positional: Positional | null): Argv {
  return positional === null
    ? argv
    : argv.positional(positional.name, { describe: positional.help, type: "string" });
}

function addOptions(argv: Argv, options: Readonly<Record<string, Option>>): Argv {
  return Object.entries(options).reduce(
    (to, [name, { kind, help }]) =>
      kind === "flag"
        ? to.option(name, { describe: help, type: "boolean" })
        : to.option(name, { describe: help, type: "string", requiresArg: true }),
    argv,
  );
}

function positionalsOf(
  parsed: Readonly<Record<string, unknown>>,
  positional: Positional | null,
): readonly string[] {
  const given = positional === null ? undefined : parsed[positional.name];
  if (given === undefined) return [];
  return (Array.isArray(given) ? given : [given]).map(String);
}
