import type { DuckDBValue } from "@duckdb/node-api";

export interface OutputColumn {
  /** Unique in its result. */
  readonly name: string;
  readonly isNumber: boolean;
  /** A 32-bit float, which is written with the digits it has. */
  readonly isFloat: boolean;
}

export type OutputRow = readonly DuckDBValue[];

/** Turns the rows of one result into text, piece by piece; the pieces in order are the output. */
export interface ResultWriter {
  rows(rows: readonly OutputRow[]): string;
  end(): string;
}

export type Format = (columns: readonly OutputColumn[]) => ResultWriter;
