export interface Progress {
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly bytesDone: number;
}

const LINE_EVERY_MS = 100;
const CLEAR_LINE = "\r\u001b[K";

/** One line on a terminal that is written over again and again. */
export interface ProgressLine {
  show(progress: Progress): void;
  /** Takes the line away, so that something else can be written. */
  clear(): void;
}

export function progressLine(write: (text: string) => void): ProgressLine {
  let shownAtMs = 0;
  let isShown = false;
  return {
    show({ filesDone, filesTotal, bytesDone }) {
      const nowMs = performance.now();
      if (nowMs - shownAtMs < LINE_EVERY_MS) return;
      shownAtMs = nowMs;
      isShown = true;
      write(`${CLEAR_LINE}reading ${filesDone} of ${filesTotal} files, ${readableBytes(bytesDone)}`);
    },
    clear() {
      if (isShown) write(CLEAR_LINE);
      isShown = false;
    },
  };
}

/** Bytes for reading. */
export function readableBytes(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
