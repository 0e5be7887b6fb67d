import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { countFaults, type Fault } from "./fuzz/fault.js";
import { ingestMutants } from "./fuzz/ingest-mutants.js";
import { mutate } from "./fuzz/mutate.js";
import { seededRandom } from "./fuzz/random.js";
import { readMutants } from "./fuzz/read-mutants.js";
import { fuzzSeeds, unharmedSession } from "./fuzz/seeds.js";
import { note } from "./support/tally.js";
import { loadCount, mutantCount, tortureSeed } from "./torture-options.js";

const GROUP = 64;
/** Mutants of one warehouse. */
const LOADED = 100;
const timeout = 3_600_000;

function judge(what: string, mutants: number, faults: readonly Fault[], startedAt: number): void {
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  note({ kind: "fuzzer", what, seed: tortureSeed, mutants, ...countFaults(faults), seconds });
  expect(faults).toEqual([]);
}

describe(`session files with faults, seed ${tortureSeed}`, () => {
  it(`lose no good line and leave their neighbours alone (${mutantCount} files)`, { timeout }, () => {
    const folder = join(tempFolder(), "fuzz");
    mkdirSync(folder);
    const seeds = fuzzSeeds();
    const neighbour = unharmedSession();
    const faults: Fault[] = [];
    const startedAt = performance.now();
    let done = 0;
    for (; done < mutantCount && faults.length < 20; done += GROUP) {
      const random = seededRandom(tortureSeed + done);
      const mutants = Array.from({ length: GROUP }, () => mutate(seeds, random));
      const content = (done / GROUP) % 4 === 3 ? "none" : "full";
      for (const fault of readMutants(mutants, neighbour, folder, content))
        faults.push({ ...fault, what: `group ${done}: ${fault.what}` });
    }
    judge("read one by one", done, faults, startedAt);
  });

  it(`keep to themselves in a warehouse (${loadCount} loads of ${LOADED} files)`, { timeout }, async () => {
    const folder = tempFolder();
    const seeds = fuzzSeeds();
    const faults: Fault[] = [];
    const startedAt = performance.now();
    let done = 0;
    for (; done < loadCount && faults.length < 20; done += 1) {
      const random = seededRandom(tortureSeed - done - 1);
      const mutants = Array.from({ length: LOADED }, () => mutate(seeds, random));
      for (const fault of await ingestMutants(mutants, unharmedSession(), join(folder, String(done))))
        faults.push({ ...fault, what: `load ${done}: ${fault.what}` });
    }
    judge(`loaded into ${done} warehouses`, done * LOADED, faults, startedAt);
  });
});
