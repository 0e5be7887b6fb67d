import { describe, expect, it } from "vitest";
import { assistant, entry, toolResult, user } from "../support/build-records.js";
import { pick, readEntries } from "../support/read-rows.js";

function failed(id: string, parentId: string) {
  return assistant(id, parentId, { content: [], stopReason: "error", errorMessage: "500" });
}

function retriesOf(...records: unknown[]): unknown[] {
  const rows = pick(readEntries(...records).retries, "entry_seq", "is_retried", "retry_succeeded");
  return rows.map((row) => Object.values(row));
}

describe("a failed request", () => {
  it("is not retried where nothing follows", () => {
    expect(retriesOf(user("a1", null), failed("a2", "a1"))).toEqual([[2, false, false]]);
  });

  it("is retried by a request below it, through edits and results", () => {
    expect(
      retriesOf(
        user("a1", null),
        failed("a2", "a1"),
        toolResult("a3", "a2", "c1"),
        entry("context_edit", "a4", "a3", { targetId: "a2", replacement: null }),
        assistant("a5", "a4"),
      ),
    ).toEqual([[2, true, true]]);
  });

  it("is not retried by what follows another prompt", () => {
    expect(retriesOf(user("a1", null), failed("a2", "a1"), user("a3", "a2"), assistant("a4", "a3"))).toEqual([
      [2, false, false],
    ]);
  });

  it("succeeded at last where a later attempt did", () => {
    expect(
      retriesOf(user("a1", null), failed("a2", "a1"), failed("a3", "a2"), assistant("a4", "a3")),
    ).toEqual([
      [2, true, true],
      [3, true, true],
    ]);
  });

  it("was retried in vain where all attempts failed", () => {
    expect(retriesOf(user("a1", null), failed("a2", "a1"), failed("a3", "a2"))).toEqual([
      [2, true, false],
      [3, false, false],
    ]);
  });

  it("counts attempts of any branch below it", () => {
    expect(
      retriesOf(
        user("a1", null),
        failed("a2", "a1"),
        user("a3", "a2"),
        assistant("a4", "a2"),
        user("a5", "a3"),
      ),
    ).toEqual([[2, true, true]]);
  });
});
