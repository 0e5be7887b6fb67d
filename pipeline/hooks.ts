import type { Logger } from "./log.js";

/** How a run speaks with whoever started it. */
export interface IngestHooks {
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly bytesDone: number;
}
