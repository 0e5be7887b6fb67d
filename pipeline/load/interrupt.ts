import type { DuckDBConnection } from "@duckdb/node-api";

const AGAIN_MS = 100;

/**
 * Breaks off the statement that runs when the signal fires, and those after it: a run is a chain of many, and
 * the signal may come between two of them. Gives the function that lets the connection work again.
 */
export function interruptOn(signal: AbortSignal, connection: DuckDBConnection): () => void {
  let timer: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    connection.interrupt();
    timer = setInterval(() => connection.interrupt(), AGAIN_MS);
  };
  if (signal.aborted) interrupt();
  else signal.addEventListener("abort", interrupt, { once: true });
  return () => {
    signal.removeEventListener("abort", interrupt);
    clearInterval(timer);
  };
}
