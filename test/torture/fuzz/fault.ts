/** Something that went wrong with a mutant. */
export interface Fault {
  readonly kind: "crash" | "hang" | "lost" | "other";
  readonly what: string;
  /** Good lines that are not in the tables. */
  readonly lostLines: number;
}

export function fault(kind: Fault["kind"], what: string, lostLines = 0): Fault {
  return { kind, what, lostLines };
}

/** What a run over mutants comes to, as the table of `make torture` shows it. */
export function countFaults(faults: readonly Fault[]): Readonly<Record<string, number>> {
  const count = (kind: Fault["kind"]): number => faults.filter((one) => one.kind === kind).length;
  return {
    crashes: count("crash"),
    hangs: count("hang"),
    goodLinesLost: faults.reduce((sum, { lostLines }) => sum + lostLines, 0),
    otherFaults: count("other"),
  };
}
