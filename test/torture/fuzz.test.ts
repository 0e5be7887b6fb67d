import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { ingestMutants } from "./fuzz/ingest-mutants.js";
import { mutate } from "./fuzz/mutate.js";
import { seededRandom } from "./fuzz/random.js";
import { readMutants } from "./fuzz/read-mutants.js";
import { fuzzSeeds, unharmedSession } from "./fuzz/seeds.js";
import { loadCount, mutantCount, tortureSeed } from "./torture-options.js";

const GROUP = 64;
/** Mutants of one warehouse. */
const LOADED = 100;
const timeout = 3_600_000;

function tell(files: number, startedAt: number): void {
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stdout.write(`tortured ${files} files in ${seconds} s, seed ${tortureSeed}\n`);
}

describe(`session files with faults, seed ${tortureSeed}`, () => {
  it(`lose no good line and leave their neighbours alone (${mutantCount} files)`, { timeout }, () => {
    const folder = join(tempFolder(), "fuzz");
    mkdirSync(folder);
    const seeds = fuzzSeeds();
    const neighbour = unharmedSession();
    const faults: string[] = [];
    const startedAt = performance.now();
    for (let done = 0; done < mutantCount && faults.length < 20; done += GROUP) {
      const random = seededRandom(tortureSeed + done);
      const mutants = Array.from({ length: GROUP }, () => mutate(seeds, random));
      const content = (done / GROUP) % 4 === 3 ? "none" : "full";
      for (const fault of readMutants(mutants, neighbour, folder, content))
        faults.push(`group ${done}: ${fault}`);
    }
    tell(mutantCount, startedAt);
    expect(faults).toEqual([]);
  });

  it(`keep to themselves in a warehouse (${loadCount} loads of ${LOADED} files)`, { timeout }, async () => {
    const folder = tempFolder();
    const seeds = fuzzSeeds();
    const faults: string[] = [];
    const startedAt = performance.now();
    for (let done = 0; done < loadCount && faults.length < 20; done += 1) {
      const random = seededRandom(tortureSeed - done - 1);
      const mutants = Array.from({ length: LOADED }, () => mutate(seeds, random));
      for (const fault of await ingestMutants(mutants, unharmedSession(), join(folder, String(done))))
        faults.push(`load ${done}: ${fault}`);
    }
    tell(loadCount * LOADED, startedAt);
    expect(faults).toEqual([]);
  });
});
