import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { testDataFolder } from "../support/test-data.js";
import { ANSWERS, openReaders } from "./support/expect-same.js";

const data = testDataFolder();
if (data === null) console.info("skipped: PIQUET_TEST_DATA names no folder with the larger test data");

const expectSame = openReaders();

it(`the sample ${ANSWERS}`, () => expectSame("sample", [[resolve("examples/sessions")]], 500));

it(`what the cases of this package hold ${ANSWERS}`, () => {
  const cases = resolve("test/cases");
  const folders = readdirSync(cases).map((name) => join(cases, name, "sessions"));
  return expectSame("cases-of-this-package", [folders], 500);
});

describe.skipIf(data === null)(`the larger test data ${ANSWERS}`, () => {
  const folder = data ?? "";

  it("corpus", () => {
    const roots = ["agent", "team-sessions"].map((root) => join(folder, "corpus", root));
    return expectSame("corpus", [roots], 40_000);
  });

  it("2,000 synthetic sessions", () => {
    const sessions = tempFolder();
    const size = ["--sessions", "2000", "--bytes", "60MiB", "--seed", "1"];
    execFileSync(process.execPath, [join(folder, "tools/synth.mjs"), sessions, ...size], { stdio: "ignore" });
    return expectSame("2000-synthetic-sessions", [[join(sessions, "sessions")]], 100_000);
  });
});
