import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { mutate } from "./fuzz/mutate.js";
import { seededRandom } from "./fuzz/random.js";
import { readMutants } from "./fuzz/read-mutants.js";
import { everything, fuzzSeeds } from "./fuzz/seeds.js";
import { mutantCount, tortureSeed } from "./torture-options.js";

const GROUP = 64;

describe(`session files with faults, seed ${tortureSeed}`, () => {
  it(`lose no good line and leave their neighbours alone (${mutantCount} of them)`, {
    timeout: 3_600_000,
  }, () => {
    const folder = join(tempFolder(), "fuzz");
    mkdirSync(folder);
    const seeds = fuzzSeeds();
    const neighbour = everything();
    const faults: string[] = [];
    for (let done = 0; done < mutantCount && faults.length < 20; done += GROUP) {
      const random = seededRandom(tortureSeed + done);
      const mutants = Array.from({ length: GROUP }, () => mutate(seeds, random));
      const content = (done / GROUP) % 4 === 3 ? "none" : "full";
      for (const fault of readMutants(mutants, neighbour, folder, content))
        faults.push(`group ${done}: ${fault}`);
    }
    expect(faults).toEqual([]);
  });
});
