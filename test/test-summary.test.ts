import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "./support/temp-folder.js";

function summaryOf(...reports: readonly string[]): string {
  const names = reports.map((_, index) => `${index}.json`);
  const folder = tempFolder(Object.fromEntries(reports.map((report, index) => [`${index}.json`, report])));
  const args = ["scripts/test-summary.mjs", ...names.map((name) => join(folder, name))];
  return spawnSync(process.execPath, args, { encoding: "utf8" }).stdout;
}

const SOME = JSON.stringify({
  numPassedTests: 7,
  numFailedTests: 1,
  testResults: [
    { status: "passed", assertionResults: [{ status: "passed" }] },
    { status: "failed", assertionResults: [{ status: "failed" }] },
    { status: "failed", assertionResults: [] },
  ],
});

describe("scripts/test-summary.mjs", () => {
  it("counts tests, and a file that does not load as one that failed", () => {
    expect(summaryOf(SOME)).toBe("7 passed, 2 failed\n");
  });

  it("adds up reports", () => {
    const others = JSON.stringify({ numPassedTests: 4, numFailedTests: 0, testResults: [] });
    expect(summaryOf(SOME, others)).toBe("11 passed, 2 failed\n");
  });

  it("counts a report that is not there as a failure", () => {
    expect(summaryOf("")).toBe("0 passed, 1 failed\n");
    expect(summaryOf(SOME, "")).toBe("7 passed, 3 failed\n");
  });
});
