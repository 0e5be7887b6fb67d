import { describe, expect, it } from "vitest";
import { joinIdentities } from "../../pipeline/load/join-records.js";

describe("joinIdentities", () => {
  it("names a chain of copies after its smallest identity", () => {
    expect(
      joinIdentities([
        ["c", "d"],
        ["b", "c"],
        ["d", "a"],
      ]),
    ).toEqual(
      new Map([
        ["a", "a"],
        ["b", "a"],
        ["c", "a"],
        ["d", "a"],
      ]),
    );
  });

  it("gives the same groups for any order of the pairs", () => {
    const pairs: [string, string][] = [
      ["p", "q"],
      ["x", "y"],
      ["q", "r"],
      ["y", "z"],
      ["r", "s"],
    ];
    const sorted = (map: Map<string, string>): [string, string][] => [...map].sort();
    expect(sorted(joinIdentities([...pairs].reverse()))).toEqual(sorted(joinIdentities(pairs)));
  });

  it("says nothing of identities that no pair names", () => {
    expect(joinIdentities([]).size).toBe(0);
  });
});
