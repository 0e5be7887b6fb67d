// Prints what `make torture` tried, from the lines that its tests noted: `node scripts/torture-table.mjs FILE`.
import { existsSync, readFileSync } from "node:fs";

const [path = ""] = process.argv.slice(2);
const lines = existsSync(path)
  ? readFileSync(path, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  : [];
const ofKind = (kind) => lines.filter((line) => line.kind === kind);
const NUMBERS = ["tried", "survived", "rowsLost", "wrongTotals"];

print(["fault", "tried", "survived", "rows lost", "wrong totals"], faultRows());
print(
  ["fuzzer", "seed", "mutants", "crashes", "hangs", "good lines lost", "other faults", "seconds"],
  ofKind("fuzzer").map((line) => [
    line.what,
    line.seed,
    line.mutants,
    line.crashes,
    line.hangs,
    line.goodLinesLost,
    line.otherFaults,
    line.seconds,
  ]),
);
print(
  ["attempts", "tried", "refused"],
  ofKind("attempts").map((line) => [line.what, line.tried, line.refused]),
);

/** One row a fault, tests of the same one added up. */
function faultRows() {
  const faults = groupByFault(ofKind("fault"));
  const rows = [...faults]
    .map(([fault, tests]) => [fault, ...NUMBERS.map((name) => sum(tests, name))])
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [...rows, ["all", ...NUMBERS.map((name) => sum(ofKind("fault"), name))]];
}

function groupByFault(tests) {
  const groups = new Map();
  for (const test of tests) groups.set(test.fault, [...(groups.get(test.fault) ?? []), test]);
  return groups;
}

/** A dash where nothing was there to be compared. */
function sum(tests, name) {
  const known = tests.map((test) => test[name]).filter((value) => value !== null);
  return known.length === 0 ? "-" : known.reduce((total, value) => total + value, 0);
}

function print(head, rows) {
  const cells = rows.map((row) => row.map(String));
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column].length)),
  );
  const line = (row) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join(" | ")} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  process.stdout.write(`\n${[line(head), rule, ...cells.map(line)].join("\n")}\n`);
}
