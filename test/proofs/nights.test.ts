import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";

interface Night {
  readonly night: number;
  readonly changes: Readonly<Record<string, number>>;
  readonly is_equal: boolean;
  readonly failed_checks: readonly string[];
}

interface Summary {
  readonly nights: readonly Night[];
  readonly nightly: Readonly<Record<string, number>>;
  readonly fresh: Readonly<Record<string, number>>;
  readonly fresh_is_equal: boolean;
}

/** The simulation of `make nights`, small. */
function simulate(...args: string[]): Promise<{ exitCode: number | null; summary: Summary; stderr: string }> {
  const child = spawn(process.execPath, ["scripts/simulate-nights.mjs", "--json", ...args]);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((done) =>
    child.on("close", (exitCode) => done({ exitCode, summary: JSON.parse(stdout), stderr })),
  );
}

describe("nightly loads of a home that grows, forks and shrinks", () => {
  it("agree each night with a ledger that knows nothing of the program", { timeout: 180_000 }, async () => {
    const { exitCode, summary, stderr } = await simulate(
      ...["--nights", "5", "--sessions", "14", "--records", "8", "--text", "80", "--change", "0.3"],
    );
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(
      summary.nights.map(({ night, is_equal, failed_checks }) => [night, is_equal, failed_checks]),
    ).toEqual([1, 2, 3, 4, 5].map((night) => [night, true, []]));
    const kinds = new Set(summary.nights.flatMap(({ changes }) => Object.keys(changes)));
    expect([...kinds].toSorted()).toEqual([
      "append",
      "create",
      "fork",
      "move",
      "overwrite",
      "remove",
      "shorten",
    ]);
    expect(summary.fresh_is_equal).toBe(true);
  });
});
