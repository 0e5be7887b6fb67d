import { describe, expect, it } from "vitest";
import { assignSessions, type HeldSession, type ReadSession } from "../../pipeline/load/assign-sessions.js";

const shop = { machine: "ada-laptop", recordCount: 4 };

function read(path: string, recordCount = 4): ReadSession {
  return { ...shop, fileId: `file of ${path}`, baseKey: "k", path, recordCount };
}

function held(path: string, sessionKey: string, isPresent: boolean, recordCount = 4): HeldSession {
  return { ...read(path, recordCount), sessionKey, isPresent };
}

describe("assignSessions", () => {
  it("gives a session that is alone its base key", () => {
    expect(assignSessions([], [read("/a.jsonl")])).toEqual({
      readings: [{ fileId: "file of /a.jsonl", sessionKey: "k", replacesKey: null }],
      renames: [],
    });
  });

  it("gives the base key to the fullest of two editions, whichever comes first", () => {
    for (const order of [
      [read("/a.jsonl", 4), read("/b.jsonl", 5)],
      [read("/b.jsonl", 5), read("/a.jsonl", 4)],
    ]) {
      const keys = new Map(assignSessions([], order).readings.map((one) => [one.fileId, one.sessionKey]));
      expect(keys.get("file of /b.jsonl")).toBe("k");
      expect(keys.get("file of /a.jsonl")).toMatch(/^k-[0-9a-f]{8}$/);
    }
  });

  it("renames an edition that was held when a fuller one comes", () => {
    const { readings, renames } = assignSessions([held("/a.jsonl", "k", true)], [read("/b.jsonl", 9)]);
    expect(readings).toEqual([{ fileId: "file of /b.jsonl", sessionKey: "k", replacesKey: null }]);
    expect(renames).toEqual([{ oldKey: "k", newKey: expect.stringMatching(/^k-[0-9a-f]{8}$/) }]);
  });

  it("takes a new file for a moved one where the old file is gone", () => {
    expect(assignSessions([held("/a.jsonl", "k", false)], [read("/moved.jsonl")])).toEqual({
      readings: [{ fileId: "file of /moved.jsonl", sessionKey: "k", replacesKey: "k" }],
      renames: [],
    });
  });

  it("reads a file again in its own place, not in that of a gone edition", () => {
    const before = [held("/a.jsonl", "k", true, 2), held("/gone.jsonl", "k-0000", false, 9)];
    const { readings } = assignSessions(
      before.slice(1).concat({ ...before[0], isPresent: false } as HeldSession),
      [read("/a.jsonl", 3)],
    );
    expect(readings).toEqual([{ fileId: "file of /a.jsonl", sessionKey: "k", replacesKey: "k" }]);
  });

  it("leaves a gone session as it is when nothing new comes", () => {
    expect(assignSessions([held("/a.jsonl", "k", false)], [])).toEqual({ readings: [], renames: [] });
  });
});
