import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answersTo, type Expectation, withoutNotes } from "../support/case-answers.js";
import { CASES, COMMON, TESTED_APART } from "../support/case-meanings.js";
import { proofFolder } from "../support/proof-folder.js";
import { load, removeWarehouse, snapshot } from "../support/proof-warehouse.js";
import { testDataFolder } from "../support/test-data.js";
import { addFiles, filesBelow, refill, refillWithHalves } from "../support/world-folder.js";

const data = testDataFolder();
if (data === null) console.info("skipped: PIQUET_TEST_DATA names no folder with cases");

describe.skipIf(data === null).each(Object.keys(CASES))("case %s", (name) => {
  const source = join(data ?? "", "cases", name, "sessions");
  const folder = proofFolder();
  const sessions = join(folder, "sessions");
  const dbPath = join(folder, "straight.duckdb");
  const straight = once(async () => {
    refill(sessions, source, filesBelow(source));
    await load(dbPath, [sessions]);
    return snapshot(dbPath);
  });

  it("gives the numbers that its author worked out", async () => {
    await straight();
    const expectation = readExpectation(name);
    const answers = await answersTo(expectation, { ...COMMON, ...CASES[name] }, dbPath);
    expect(answers).toEqual(withoutNotes(expectation));
  });

  it("gives the same tables when files come one run after the other", async () => {
    const paths = filesBelow(source);
    for (const order of paths.length > 1 ? [paths, paths.toReversed()] : []) {
      const otherPath = join(folder, "arrival.duckdb");
      removeWarehouse(otherPath);
      refill(sessions, source, order.slice(0, 1));
      await load(otherPath, [sessions]);
      addFiles(sessions, source, order.slice(1));
      await load(otherPath, [sessions], { jobs: 2 });
      expect(await snapshot(otherPath)).toEqual(await straight());
    }
  });

  it("gives the same tables when files grow between runs", async () => {
    const otherPath = join(folder, "growth.duckdb");
    refillWithHalves(sessions, source, filesBelow(source));
    await load(otherPath, [sessions]);
    refill(sessions, source, filesBelow(source));
    await load(otherPath, [sessions]);
    expect(await snapshot(otherPath)).toEqual(await straight());
  });
});

function readExpectation(name: string): Expectation {
  const all: Expectation = JSON.parse(readFileSync(join(data ?? "", "cases", name, "expected.json"), "utf8"));
  return Object.fromEntries(Object.entries(all).filter(([key]) => !TESTED_APART[name]?.includes(key)));
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
