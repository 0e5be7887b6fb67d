import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { testDataFolder } from "../support/test-data.js";
import { runsOf, writeSizes } from "./support/case-runs.js";
import { ANSWERS, openReaders } from "./support/expect-same.js";

const data = testDataFolder();
if (data === null) console.info("skipped: PIQUET_TEST_DATA names no folder with cases");

describe.skipIf(data === null)(`each case of the larger test data ${ANSWERS}`, () => {
  const folder = join(data ?? "", "cases");
  const expectSame = openReaders();

  it.each(data === null ? ["none"] : readdirSync(folder).toSorted())("%s", (name) => {
    const runs = runsOf(join(folder, name));
    return expectSame(name, runs.length > 0 ? runs : writeSizes(tempFolder()), 20);
  });
});
