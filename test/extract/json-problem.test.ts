import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeJsonProblem, findProblem } from "../../pipeline/extract/json-problem.js";

describe("describeJsonProblem", () => {
  it.each([
    ['{"a":1', "not valid JSON at character 7: ends too early"],
    ['{"a":1,', "not valid JSON at character 8: ends too early"],
    ['{"a":1,}', "not valid JSON at character 8: expected a key"],
    ["{a:1}", "not valid JSON at character 2: expected a key"],
    ['{"a" 1}', "not valid JSON at character 6: expected a colon"],
    ['{"a":1 "b":2}', "not valid JSON at character 8: expected a comma or }"],
    ["[1,]", "not valid JSON at character 4: expected a value"],
    ["[1}", "not valid JSON at character 3: expected a comma or ]"],
    ['{"a":"x\\q"}', "not valid JSON at character 8: bad escape"],
    ['{"a":"\\u12g4"}', "not valid JSON at character 7: bad escape"],
    ['{"a":"x', "not valid JSON at character 8: string without an end"],
    ['{"a":"x\\', "not valid JSON at character 9: string without an end"],
    ['{"a":"\t"}', "not valid JSON at character 7: control character in a string"],
    ['{"a":1}{"b":2}', "not valid JSON at character 8: text after the value"],
    ['{"a":01}', "not valid JSON at character 7: expected a comma or }"],
    ['{"a":-}', "not valid JSON at character 6: expected a value"],
    ["<html>", "not valid JSON at character 1: expected a value"],
    ["\ufeff{}", "not valid JSON at character 1: expected a value"],
  ])("says of %j: %s", (text, message) => {
    expect(describeJsonProblem(text)).toBe(message);
  });
});

describe("findProblem", () => {
  const jsonWithEdits = fc.tuple(
    fc.json({ maxDepth: 4 }),
    fc.array(
      fc.tuple(fc.nat(), fc.constantFrom("", "{", "]", ",", '"', "\\", "0", "e", "-", "\n", "x", "u")),
      {
        maxLength: 2,
      },
    ),
  );

  it("finds a problem exactly where JSON.parse refuses the text", () => {
    fc.assert(
      fc.property(jsonWithEdits, ([json, edits]) => {
        let text = json;
        for (const [place, put] of edits) {
          const at = place % (text.length + 1);
          text = text.slice(0, at) + put + text.slice(at + 1);
        }
        expect(findProblem(text) === null).toBe(parses(text));
      }),
      { numRuns: 3000 },
    );
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
