import { appendFileSync } from "node:fs";
import { expect, onTestFinished } from "vitest";

/** Digests of tables, `<rows> <hash>`, as `digest` makes them. */
type Digests = Readonly<Record<string, string>>;

/** Counts how often a fault was tried, and what it did to the warehouse. */
export interface Trials {
  /** One more try begins; whoever tries once need not say so. */
  begin(): void;
  /** Compares the tables with what they have to be; rows that are missing count as lost. */
  rows(expected: Digests, found: Digests): void;
  /** Compares a sum of money, or a count of rows that tells the same. */
  total(expected: unknown, found: unknown): void;
}

/**
 * Begins trials of a fault within the running test. At its end a line for the table of `make torture` is
 * written; a test that fails has not survived its last try.
 */
export function trials(fault: string): Trials {
  let tried = 0;
  let rowsLost: number | null = null;
  let wrongTotals: number | null = null;
  onTestFinished(({ task }) => {
    if (task.result?.state === "skip" || task.mode === "skip") return;
    const count = Math.max(tried, 1);
    const survived = count - (task.result?.state === "fail" ? 1 : 0);
    note({ kind: "fault", fault, tried: count, survived, rowsLost, wrongTotals });
  });
  return {
    begin: () => void (tried += 1),
    rows: (expected, found) => {
      rowsLost = (rowsLost ?? 0) + lostRows(expected, found);
      expect(found).toEqual(expected);
    },
    total: (expected, found) => {
      wrongTotals = (wrongTotals ?? 0) + (JSON.stringify(found) === JSON.stringify(expected) ? 0 : 1);
      expect(found).toEqual(expected);
    },
  };
}

function lostRows(expected: Digests, found: Digests): number {
  return Object.entries(expected)
    .map(([table, wanted]) => Number.parseInt(wanted, 10) - Number.parseInt(found[table] ?? "0", 10))
    .reduce((sum, lost) => sum + Math.max(0, lost), 0);
}

/** Writes a line for the table, where one is asked for. */
export function note(line: Readonly<Record<string, unknown>>): void {
  const path = process.env["PIQUET_TORTURE_TALLY"];
  if (path !== undefined) appendFileSync(path, `${JSON.stringify(line)}\n`);
}
