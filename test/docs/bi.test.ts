import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commands } from "../../pipeline/commands/index.js";
import { parseArgs } from "../../pipeline/parse-args.js";
import { PUBLISHED_VIEWS } from "../../pipeline/publish/relations.js";
import golden from "../golden/v1.json" with { type: "json" };

const BI = readFileSync("docs/bi.md", "utf8");
const LAKE = readFileSync("docs/lake.md", "utf8");

/** Command lines of this program in blocks of shell and in code. */
const lines = [BI, LAKE].flatMap((page) =>
  Array.from(
    page.matchAll(/(?:^|`|&& )piquet ((?:ingest|publish|ddl|sql) (?:"[^"]*"|[^`&|>\n\\"])*)/gm),
    ([, line = ""]) => line.trim(),
  ),
);

describe("the pages on BI tools and the lake", () => {
  it.each([...new Set(lines)])("show a command line that piquet takes: %s", async (line) => {
    const words = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ""));
    expect(await parseArgs(words, commands, "0")).not.toBeNull();
  });

  it("name every view that is published, and none that is not there", () => {
    const named = Array.from(BI.matchAll(/`v1\.(\w+)`/g), ([, name = ""]) => name);
    expect(new Set(named)).toEqual(PUBLISHED_VIEWS);
    const views = golden.map(({ view }) => view);
    expect(named.filter((name) => !views.includes(name))).toEqual([]);
  });
});
