import type { Logger } from "../log.js";
import type { Progress } from "../progress.js";
import type { Settings, World } from "../settings.js";

/** An option of a command; flags are true or false, texts take a value. */
export interface Option {
  readonly kind: "flag" | "text";
  readonly help: string;
  /** A local path; a relative one starts at the working directory or at the config file's folder. */
  readonly isPath?: true;
  /** Given on the command line alone, never by a variable or the config file. */
  readonly isFlagOnly?: true;
}

export interface Positional {
  readonly name: string;
  readonly help: string;
  readonly isMany: boolean;
}

/** What a command is given to work with. */
export interface CommandContext {
  readonly positionals: readonly string[];
  readonly settings: Settings;
  readonly world: World;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Ends when the text is taken, so that a slow reader slows the writer down. */
  readonly print: (text: string) => Promise<void>;
  /** The text on standard input; null at a terminal. */
  readonly readInput: () => Promise<string | null>;
  /** Null where nobody looks. */
  readonly showProgress: ((progress: Progress) => void) | null;
}

/**
 * One command of the program. Modules that load the database or Arrow are imported inside `run`, so that help
 * stays quick. `run` gives the exit code of a run that did not fail.
 */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly positional: Positional | null;
  readonly options: Readonly<Record<string, Option>>;
  /** Command line and what it does. */
  readonly examples: readonly (readonly [string, string])[];
  readonly run: (context: CommandContext) => Promise<number>;
}

/** Options that more than one command has. */
export const commonOptions = {
  db: { kind: "text", help: "warehouse file [$XDG_DATA_HOME/piquet/warehouse.duckdb]", isPath: true },
  json: { kind: "flag", help: "one JSON value on standard output" },
} as const satisfies Record<string, Option>;
