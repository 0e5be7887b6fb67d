import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "./support/temp-folder.js";

function summaryOf(result: string): string {
  const folder = tempFolder({ "result.json": result });
  const args = ["scripts/test-summary.mjs", join(folder, "result.json")];
  return spawnSync(process.execPath, args, { encoding: "utf8" }).stdout;
}

describe("scripts/test-summary.mjs", () => {
  it("counts tests, and a file that does not load as one that failed", () => {
    const result = {
      numPassedTests: 7,
      numFailedTests: 1,
      testResults: [
        { status: "passed", assertionResults: [{ status: "passed" }] },
        { status: "failed", assertionResults: [{ status: "failed" }] },
        { status: "failed", assertionResults: [] },
      ],
    };
    expect(summaryOf(JSON.stringify(result))).toBe("7 passed, 2 failed\n");
  });

  it("reports a failure where no test ran", () => {
    expect(summaryOf("")).toBe("0 passed, 1 failed\n");
  });
});
