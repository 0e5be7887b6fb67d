/** Every kind of failure and the exit code that tells a calling script about it. */
const EXIT_CODES = {
  FAILED: 1,
  ABORTED: 1,
  USAGE: 2,
  STATEMENT_REFUSED: 2,
  WAREHOUSE_MISSING: 2,
  CHECK_FAILED: 3,
  WAREHOUSE_NEWER: 4,
  WAREHOUSE_LOCKED: 5,
} as const;

export type ErrorCode = keyof typeof EXIT_CODES;

export const EXIT_OK = 0;
/** Everything was loaded, but lines were rejected under `--strict` or a check found rows. */
export const EXIT_CHECK_FAILED = EXIT_CODES.CHECK_FAILED;

/**
 * A broken world, as opposed to bad data, which becomes rows. The message names its subject and ends with
 * the facts; it never holds text of a session. Only the command line turns it into an exit code.
 */
export class PipelineError extends Error {
  readonly code: ErrorCode;
  readonly exitCode: number;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "PipelineError";
    this.code = code;
    this.exitCode = EXIT_CODES[code];
  }
}

/** Refuses what a later version of the program wrote; `place` names the warehouse or manifest. */
export function refuseNewer(
  place: string,
  what: "schema" | "manifest",
  version: number,
  knownVersion: number,
): void {
  if (version <= knownVersion) return;
  throw new PipelineError(
    "WAREHOUSE_NEWER",
    `${place} has ${what} version ${version}, this program knows ${knownVersion}; use a newer piquet`,
  );
}

/**
 * What went wrong, fit for a log. Errors of foreign code may quote what they were given, so what stands in
 * quotes is left out of theirs, but for errors of the system, which name files alone.
 */
export function safeMessage(error: unknown): string {
  if (error instanceof PipelineError) return error.message;
  if (!(error instanceof Error)) return "error";
  if ("syscall" in error) return error.message;
  return `${error.name}: ${error.message.replaceAll(/(["'`]).*\1/gs, "$1…$1")}`;
}
