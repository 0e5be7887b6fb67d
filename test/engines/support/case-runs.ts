import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "../../support/proof-warehouse.js";
import { filesBelow, refill } from "../../support/world-folder.js";
import { header, jsonl, reply, session, toolResult, writeSession } from "../../support/world-sessions.js";

/** What lies on a disk at each of several runs: folders of sessions, always the same number of them. */
export type Runs = readonly (readonly string[])[];

/** Folders called `sessions` of a case, or of its folders `run1`, `run2` and so on, which follow each other. */
export function runsOf(caseFolder: string): Runs {
  const folders = readdirSync(caseFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
  const steps = folders.filter((name) => /^run\d+$/.test(name));
  if (steps.length > 0) return steps.map((name) => [join(caseFolder, name, "sessions")]);
  const roots = folders.map((name) =>
    name === "sessions" ? join(caseFolder, name) : join(caseFolder, name, "sessions"),
  );
  return roots.length === 0 ? [] : [roots.filter((path) => existsSync(path))];
}

/**
 * Loads run after run from the same folders below `folder`, days in a zone whose days are not UTC's. Gives the
 * path of the warehouse, which has a folder of its own.
 */
export async function loadRuns(folder: string, runs: Runs, machine = "desk"): Promise<string> {
  const home = join(folder, machine);
  const dbPath = join(home, "w.duckdb");
  mkdirSync(home, { recursive: true });
  for (const sources of runs) {
    const roots = sources.map((source, index) => {
      const root = join(folder, `${machine}-sessions-${index}`);
      refill(root, source, filesBelow(source));
      return root;
    });
    await load(dbPath, roots, { machine, timeZone: "America/Los_Angeles" });
  }
  return dbPath;
}

const MIB = 2 ** 20;

/** A long line, a file of many long lines and many files: smaller ones than the case describes. */
export function writeSizes(folder: string): Runs {
  const text = (megabytes: number): object => ({
    content: [{ type: "text", text: "A".repeat(megabytes * MIB) }],
  });
  writeSession(join(folder, "line.jsonl"), [
    header("s0000001", 0),
    toolResult("a0000001", null, 1, "t1", { ...text(16) }),
    reply("a0000002", "a0000001", 5),
  ]);
  const lines = Array.from({ length: 20 }, (_, n) => [
    toolResult(`a${n}`, null, n * 10, `t${n}`, { ...text(1) }),
    reply(`b${n}`, `a${n}`, n * 10 + 5),
  ]);
  writeFileSync(join(folder, "file.jsonl"), jsonl([header("s0000002", 0), ...lines.flat()]));
  for (let n = 0; n < 600; n++) {
    writeSession(join(folder, `p${n % 20}/${n}.jsonl`), session(`s${n}`, n, 0.01, 0.01, 0.01, 0.01));
  }
  return [[folder]];
}
