import { describe, expect, it } from "vitest";
import { type ChildCandidate, type ChildClaim, linkChildren } from "../../pipeline/load/link-children.js";

const claim: ChildClaim = {
  sessionKey: "parent",
  entrySeq: 3,
  usageSeq: 2,
  runId: null,
  runIndex: 0,
  path: null,
  occurredAtMs: 1_000,
};

function child(path: string, restPath: string | null = null): ChildCandidate {
  const parentKey = restPath === null ? null : "parent";
  return {
    sessionKey: path,
    machine: "ada-laptop",
    path,
    isPresent: true,
    parentKey,
    restPath,
    headerAtMs: 500,
  };
}

function linked(to: ChildClaim, ...candidates: ChildCandidate[]): string | undefined {
  return linkChildren([to], candidates)[0]?.childKey;
}

describe("linkChildren", () => {
  it("finds the file that the result names below another home", () => {
    const path = "/home/ada/.pi/agent/sessions/--shop--/p/run-7f/run-0/session.jsonl";
    expect(
      linked(
        { ...claim, path },
        child("/mnt/backup/sessions/--shop--/p/run-7f/run-1/session.jsonl"),
        child("/mnt/backup/sessions/--shop--/p/run-7f/run-0/session.jsonl"),
      ),
    ).toBe("/mnt/backup/sessions/--shop--/p/run-7f/run-0/session.jsonl");
  });

  it("does not take a file of the same common name in another run for it", () => {
    const path = "/home/ada/.pi/agent/sessions/--shop--/p/run-7f/run-0/session.jsonl";
    expect(
      linked({ ...claim, path }, child("/home/ada/sessions/--other--/q/run-1/session.jsonl")),
    ).toBeUndefined();
  });

  it("knows a file by its own name alone, wherever it was moved", () => {
    const name = "2026-01-05T09-00-00-000Z_a0000001-0000-7000-8000-000000000001.jsonl";
    expect(linked({ ...claim, path: `/gone/run-0/${name}` }, child(`/flat/${name}`))).toBe(`/flat/${name}`);
  });

  it("finds a run by its place below the parent's file", () => {
    const run = { ...claim, runId: "7f", runIndex: 1 };
    expect(
      linked(
        run,
        child("/p/7f/run-0/s.jsonl", "7f/run-0/s.jsonl"),
        child("/p/7f/run-1/s.jsonl", "7f/run-1/s.jsonl"),
      ),
    ).toBe("/p/7f/run-1/s.jsonl");
    expect(linked(run, child("/p/run-7f/run-1/s.jsonl", "run-7f/run-1/s.jsonl"))).toBe(
      "/p/run-7f/run-1/s.jsonl",
    );
  });

  it("reads backslashes of another machine as separators", () => {
    const path = "C:\\Users\\ada\\sessions\\--shop--\\p\\run-0\\session.jsonl";
    expect(linked({ ...claim, path }, child("/mnt/c/sessions/--shop--/p/run-0/session.jsonl"))).toBeDefined();
  });

  it("takes the session that was in a file before the result was written, not a later one in its place", () => {
    const place = child("/sessions/--shop--/p/7f/run-0/session.jsonl", "7f/run-0/session.jsonl");
    const before = { ...place, sessionKey: "before", isPresent: false };
    const later = { ...place, sessionKey: "later", headerAtMs: 2_000 };
    const run = { ...claim, runId: "7f", path: "/x/p/7f/run-0/session.jsonl" };
    expect([linked(run, later, before), linked({ ...run, path: null }, later, before)]).toEqual([
      "before",
      "before",
    ]);
  });
});
