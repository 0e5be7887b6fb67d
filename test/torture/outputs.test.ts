import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { countedCost } from "../support/proof-warehouse.js";
import { tempFolder } from "../support/temp-folder.js";
import { trials } from "./support/tally.js";
import { writeSessions } from "./support/write-sessions.js";

const timeout = 120_000;
const CLI = resolve("dist/pipeline/cli.js");

function startCli(
  args: readonly string[],
  stdio: ["ignore", "pipe" | number, "pipe"],
): ReturnType<typeof spawn> {
  return spawn(process.execPath, [CLI, ...args], {
    stdio,
    env: { PATH: process.env["PATH"], HOME: "/nonexistent" },
  });
}

describe("a load", () => {
  it("goes on when nobody reads its log any more", { timeout }, async () => {
    const folder = tempFolder();
    const { root, costUsd } = writeSessions(join(folder, "sessions"), 2);
    const dbPath = join(folder, "w.duckdb");
    const tries = trials("an output that is closed or full");
    const child = startCli(["ingest", root, "--db", dbPath, "--verbose"], ["ignore", "pipe", "pipe"]);
    child.stderr?.destroy();
    child.stdout?.resume();
    expect(await new Promise((done) => child.on("close", done))).toBe(0);
    tries.total(costUsd, await countedCost(dbPath));
  });

  it.skipIf(!existsSync("/dev/full"))(
    "that cannot print its report says so, and is kept",
    { timeout },
    async () => {
      const folder = tempFolder();
      const { root, costUsd } = writeSessions(join(folder, "sessions"), 2);
      const dbPath = join(folder, "w.duckdb");
      const tries = trials("an output that is closed or full");
      const full = openSync("/dev/full", "w");
      const child = startCli(["ingest", root, "--db", dbPath, "--json", "--quiet"], ["ignore", full, "pipe"]);
      let log = "";
      child.stderr?.setEncoding("utf8").on("data", (text: string) => (log += text));
      expect(await new Promise((done) => child.on("close", done))).toBe(1);
      closeSync(full);
      expect(log).toBe("piquet: cannot write the result: ENOSPC: no space left on device, write\n");
      tries.total(costUsd, await countedCost(dbPath));
    },
  );
});
