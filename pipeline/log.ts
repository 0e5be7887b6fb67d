import { type Logger, pino } from "pino";

export type { Logger } from "pino";

export type LogLevel = "debug" | "info" | "error";

interface LogOptions {
  readonly level: LogLevel;
  /** Short lines for a person instead of JSON lines for a machine. */
  readonly isPlain: boolean;
  /** Takes one whole line, its line feed included. */
  readonly write: (line: string) => void;
}

/** Fields carry ids, paths, counts and times; text of a session never goes into a log. */
export function createLogger(options: LogOptions): Logger {
  const write = options.isPlain ? (line: string): void => options.write(plainLine(line)) : options.write;
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: levelName },
    },
    { write },
  );
}

function levelName(level: string): { level: string } {
  return { level };
}

interface LogLine extends Readonly<Record<string, unknown>> {
  readonly level: string;
  readonly msg?: string;
}

function plainLine(line: string): string {
  const { level, time: _time, msg, ...fields }: LogLine = JSON.parse(line);
  const facts = Object.entries(fields).map(([name, value]) => `${name}=${shown(value)}`);
  const head = level === "info" ? [] : [`${level}:`];
  return `${[...head, msg ?? "", ...facts].join(" ")}\n`;
}

function shown(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}
