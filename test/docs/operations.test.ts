import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commands } from "../../pipeline/commands/index.js";
import { parseArgs } from "../../pipeline/parse-args.js";

const PAGE = readFileSync("docs/operations.md", "utf8");

/** What stands after `piquet` in code, up to the next command of the shell. */
function commandLines(): string[] {
  const blocks = [...PAGE.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = ""]) => block.split("\n"));
  const inline = [...PAGE.matchAll(/`(piquet [^`]+)`/g)].map(([, code = ""]) => code);
  return [...blocks, ...inline].flatMap((line) => /^piquet ([^&|>]+)/.exec(line)?.[1]?.trim() ?? []);
}

describe("the page on operations", () => {
  it.each(commandLines())("shows a command line that piquet takes: %s", async (line) => {
    const words = line.match(/"[^"]*"|\S+/g) ?? [];
    const parsed = await parseArgs(
      words.map((word) => word.replaceAll('"', "")),
      commands,
      "0",
    );
    expect(parsed).not.toBeNull();
  });

  it("has a row for every exit code", () => {
    const codes = [...PAGE.matchAll(/^\| (\d) \|/gm)].map(([, code]) => Number(code));
    expect(codes).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("names files that are there", () => {
    const files = [...PAGE.matchAll(/`((?:examples|docs)\/[\w./-]+)`/g)].map(([, path = ""]) => path);
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((path) => !existsSync(path))).toEqual([]);
  });
});
