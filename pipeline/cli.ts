#!/usr/bin/env node
import { availableParallelism, homedir, hostname, tmpdir, totalmem } from "node:os";
import { text } from "node:stream/consumers";
import { commands } from "./commands/index.js";
import { EXIT_OK, PipelineError, safeMessage } from "./errors.js";
import { createLogger, type Logger, type LogLevel } from "./log.js";
import { commonFlags, type ParsedArgs, parseArgs } from "./parse-args.js";
import { type ProgressLine, progressLine } from "./progress.js";
import { readFlag, readSettings, type Settings, type World } from "./settings.js";
import { toolVersion } from "./version.js";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

process.umask(0o077);
process.stdout.on("error", endWhenReaderIsGone);
// A load goes on though nobody reads its log any more.
process.stderr.on("error", () => {});
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    const parsed = await parseArgs(args, commands, toolVersion());
    return parsed === null ? EXIT_OK : await runCommand(parsed);
  } catch (error) {
    return reportWrongUse(error instanceof Error ? error.message : "wrong use");
  }
}

async function runCommand({ command, positionals, flags }: ParsedArgs): Promise<number> {
  const world = readWorld();
  const settings = settingsFor(flags, world);
  const progress = progressLine((line) => process.stderr.write(line));
  const log = logFor(settings, progress);
  const isWatched = process.stderr.isTTY && !readFlag(settings, "quiet");
  try {
    return await command.run({
      positionals,
      settings,
      world,
      log,
      signal: stopSignal(),
      print,
      readInput: async () => (process.stdin.isTTY ? null : text(process.stdin)),
      showProgress: isWatched ? progress.show : null,
    });
  } catch (error) {
    return reportFailure(error, log);
  } finally {
    progress.clear();
  }
}

/** A setting of any command may stand in the config file, which all of them share. */
function settingsFor(flags: Readonly<Record<string, unknown>>, world: World): Settings {
  const options = Object.assign({}, commonFlags, ...commands.map((command) => command.options));
  const flagOnly = Object.keys(options).filter((name) => options[name].isFlagOnly);
  const names = Object.keys(options).filter((name) => !flagOnly.includes(name));
  return readSettings(flags, names, flagOnly, world);
}

function readWorld(): World {
  const limit = process.constrainedMemory();
  return {
    env: process.env,
    homeDir: homedir(),
    workDir: process.cwd(),
    hostName: hostname(),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC",
    coreCount: availableParallelism(),
    memoryBytes: limit > 0 ? Math.min(limit, totalmem()) : totalmem(),
    tempDir: tmpdir(),
  };
}

function logFor(settings: Settings, progress: ProgressLine): Logger {
  const level: LogLevel = readFlag(settings, "quiet")
    ? "error"
    : readFlag(settings, "verbose")
      ? "debug"
      : "info";
  return createLogger({
    level,
    isPlain: process.stderr.isTTY,
    write: (line) => {
      progress.clear();
      process.stderr.write(line);
    },
  });
}

/** The first signal asks the run to stop and roll back, the second ends the process. */
function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stopping.abort(name));
  return stopping.signal;
}

function print(output: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(output, (error) => (error ? reject(error) : resolve()));
  });
}

/** `piquet sql .. | head` is no failure. */
function endWhenReaderIsGone(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(EXIT_OK);
  process.stderr.write(`piquet: cannot write the result: ${error.message}\n`);
  process.exit(EXIT_FAILED);
}

/** For the person who typed it, whatever standard error is. */
function reportWrongUse(message: string): number {
  process.stderr.write(`piquet: ${message}\nTry \`piquet --help\`.\n`);
  return EXIT_USAGE;
}

function reportFailure(error: unknown, log: Logger): number {
  if (error instanceof PipelineError && error.exitCode === EXIT_USAGE) return reportWrongUse(error.message);
  if (!(error instanceof PipelineError)) {
    log.error({ code: "FAILED" }, `unexpected ${safeMessage(error)}`);
    log.debug({ frames: framesOf(error) }, "where it happened");
    return EXIT_FAILED;
  }
  log.error({ code: error.code }, error.message);
  log.debug({ frames: framesOf(error), cause: framesOf(error.cause) }, "where it happened");
  return error.exitCode;
}

/** The stack without its message. */
function framesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  return (error.stack ?? "")
    .split("\n")
    .filter((line) => line.startsWith("    at "))
    .map((line) => line.trim());
}
