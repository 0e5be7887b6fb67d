import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ColumnBatch, ReadRequest } from "../pipeline/flow.js";
import { type FileResult, type ReadFilesOptions, readFiles } from "../pipeline/read-files.js";
import { batchRows } from "./support/batch-rows.js";
import { tempFolder } from "./support/temp-folder.js";
import { trials } from "./torture/support/tally.js";

const FAULTY = new URL("./support/faulty-worker.mjs", import.meta.url);

function session(id: string, prompts: number, text = "hi"): string {
  const lines: object[] = [
    { type: "session", version: 3, id, timestamp: "2026-01-05T09:00:00.000Z", cwd: "/home/ada/shop" },
  ];
  for (let seq = 1; seq <= prompts; seq += 1)
    lines.push({
      type: "message",
      id: `a${String(seq).padStart(7, "0")}`,
      parentId: seq === 1 ? null : `a${String(seq - 1).padStart(7, "0")}`,
      timestamp: new Date(Date.UTC(2026, 0, 5, 9, 0, seq)).toISOString(),
      message: { role: "user", content: text, timestamp: Date.UTC(2026, 0, 5, 9, 0, seq) },
    });
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}

function requestsFor(files: Readonly<Record<string, string>>): ReadRequest[] {
  const folder = tempFolder();
  return Object.entries(files).map(([name, text]) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text);
    return { fileId: name, path: join(folder, name), loadId: 1, content: "full" };
  });
}

interface Seen {
  readonly results: FileResult[];
  readonly entryCounts: Record<string, number>;
  readonly entrySeqs: Record<string, number[]>;
  readonly restarted: string[];
}

async function run(requests: readonly ReadRequest[], options: Partial<ReadFilesOptions> = {}): Promise<Seen> {
  const seen: Seen = { results: [], entryCounts: {}, entrySeqs: {}, restarted: [] };
  let isBusy = false;
  await readFiles(requests, {
    jobs: 2,
    totalBytes: 1e9,
    sizeOf: ({ path }) => statSync(path, { throwIfNoEntry: false })?.size ?? 0,
    signal: new AbortController().signal,
    onBatch: async (batch: ColumnBatch) => {
      expect(isBusy).toBe(false);
      isBusy = true;
      await sleep(1);
      for (const row of batch.table === "entries" ? batchRows(batch) : []) {
        const fileId = String(row["file_id"]);
        expect(seen.results.map((result) => result.fileId)).not.toContain(fileId);
        (seen.entrySeqs[fileId] ??= []).push(Number(row["entry_seq"]));
        seen.entryCounts[fileId] = (seen.entryCounts[fileId] ?? 0) + 1;
      }
      isBusy = false;
    },
    onFileDone: (result) => seen.results.push(result),
    onRestart: async (fileIds) => {
      seen.restarted.push(...fileIds);
      for (const fileId of fileIds) {
        delete seen.entryCounts[fileId];
        delete seen.entrySeqs[fileId];
      }
    },
    ...options,
  });
  return seen;
}

function sorted(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function failuresOf(seen: Seen): [string, string][] {
  return seen.results.flatMap((result) => (result.ok ? [] : [[result.fileId, result.reason]]));
}

describe.each([
  ["on the main thread", { jobs: 0 }],
  ["in one worker", { jobs: 1 }],
  ["in two workers", { jobs: 2 }],
])("readFiles %s", (_name, options) => {
  it("gives every row of every file once, in order, before the file's result", async () => {
    const requests = requestsFor({
      "one.jsonl": session("one", 3),
      "large.jsonl": session("large", 5_000),
      "empty.jsonl": "",
      "two.jsonl": `${session("two", 2)}{"broken\n{"unfinished`,
    });
    const seen = await run(requests, options);
    expect(seen.entryCounts).toEqual({ "one.jsonl": 3, "large.jsonl": 5_000, "two.jsonl": 2 });
    expect(seen.entrySeqs["large.jsonl"]).toEqual(Array.from({ length: 5_000 }, (_, index) => index + 1));
    const results = seen.results.toSorted((one, other) => (one.fileId < other.fileId ? -1 : 1));
    expect(results).toMatchObject([
      { fileId: "empty.jsonl", ok: true, bytesRead: 0 },
      { fileId: "large.jsonl", ok: true, rejectCount: 0 },
      { fileId: "one.jsonl", ok: true, pendingTailBytes: 0 },
      { fileId: "two.jsonl", ok: true, pendingTailBytes: 12, rejectCount: 1 },
    ]);
  });

  it("names a file that can't be read and goes on", async () => {
    const requests = requestsFor({ "one.jsonl": session("one", 3), "gone.jsonl": "" });
    const path = join(tempFolder(), "nowhere.jsonl");
    const [one, gone] = requests;
    if (one === undefined || gone === undefined) throw new Error("no requests");
    const seen = await run([{ ...gone, path }, one], options);
    expect(seen.entryCounts).toEqual({ "one.jsonl": 3 });
    expect(failuresOf(seen)).toEqual([["gone.jsonl", `cannot read ${path}: ENOENT`]]);
  });

  it("throws what a callback throws and calls none again", async () => {
    const requests = requestsFor({ "one.jsonl": session("one", 9_000), "two.jsonl": session("two", 9_000) });
    let calls = 0;
    const onBatch = async (): Promise<void> => {
      calls += 1;
      throw new Error("disk full");
    };
    await expect(run(requests, { ...options, onBatch })).rejects.toThrow("disk full");
    expect(calls).toBe(1);
  });

  it("stops when the signal fires", async () => {
    const requests = requestsFor({ "one.jsonl": session("one", 9_000), "two.jsonl": session("two", 9_000) });
    const abort = new AbortController();
    let calls = 0;
    const onBatch = async (): Promise<void> => {
      calls += 1;
      abort.abort();
    };
    await expect(run(requests, { ...options, onBatch, signal: abort.signal })).rejects.toMatchObject({
      code: "ABORTED",
    });
    expect(calls).toBe(1);
    await expect(run(requests, { ...options, signal: abort.signal })).rejects.toMatchObject({
      code: "ABORTED",
    });
  });

  it("reads no files at all", async () => {
    expect((await run([], options)).results).toEqual([]);
  });
});

describe("readFiles with a worker that is lost", () => {
  it.each([
    ["exit.jsonl", "its reader ended with code 7", 120_000],
    ["leave.jsonl", "its reader ended too early", 120_000],
    ["heap.jsonl", "its reader ran out of memory", 120_000],
    ["stall.jsonl", expect.stringMatching(/^no progress for \d+ seconds$/), 2_000],
  ])("blames %s and reads the rest", async (name, reason, stallMs) => {
    const tries = trials("a worker that dies or stalls");
    const requests = requestsFor({
      "a.jsonl": session("a", 400),
      [name]: session("b", 300),
      "c.jsonl": session("c", 200),
      "d.jsonl": session("d", 100),
    });
    const seen = await run(requests, { jobs: 1, workerUrl: FAULTY, readerHeapMb: 64, stallMs });
    tries.total({ "a.jsonl": 400, "c.jsonl": 200, "d.jsonl": 100 }, sorted(seen.entryCounts));
    expect(failuresOf(seen)).toEqual([[name, reason]]);
    expect(seen.results).toHaveLength(4);
    expect(seen.restarted).toEqual([]);
  });

  const partlyHandedOver = {
    "a.jsonl": session("a", 1_500, "x".repeat(2_000)),
    "late-exit.jsonl": session("b", 1_000, "x".repeat(2_000)),
    "c.jsonl": session("c", 100),
  };

  it("reads files again whose rows were lost in part", async () => {
    const seen = await run(requestsFor(partlyHandedOver), { jobs: 1, workerUrl: FAULTY });
    expect(failuresOf(seen)).toEqual([["late-exit.jsonl", "its reader ended with code 7"]]);
    expect(seen.restarted).toEqual(["a.jsonl"]);
    expect(seen.entryCounts["a.jsonl"]).toBe(1_500);
    expect(seen.entryCounts["c.jsonl"]).toBe(100);
  });

  it("fails them where nobody can take their rows out again", async () => {
    const seen = await run(requestsFor(partlyHandedOver), {
      jobs: 1,
      workerUrl: FAULTY,
      onRestart: undefined,
    });
    expect(failuresOf(seen)).toEqual([
      ["late-exit.jsonl", "its reader ended with code 7"],
      ["a.jsonl", "lost with a file read after it: its reader ended with code 7"],
    ]);
    expect(seen.entryCounts["c.jsonl"]).toBe(100);
  });

  it("goes on after a read error in the middle of a file", async () => {
    const seen = await run(
      requestsFor({
        "broken-disk.jsonl": session("b", 5_000, "x".repeat(500)),
        "c.jsonl": session("c", 100),
      }),
      { jobs: 1, workerUrl: FAULTY },
    );
    expect(seen.entryCounts["c.jsonl"]).toBe(100);
    expect(failuresOf(seen)).toEqual([
      ["broken-disk.jsonl", expect.stringMatching(/^cannot read .*broken-disk\.jsonl after line \d+: EIO$/)],
    ]);
  });

  it("goes on after an error of its own, and tells where it was but nothing of the session", async () => {
    const seen = await run(
      requestsFor({ "b.jsonl": session("b", 3, "break the transform"), "c.jsonl": session("c", 2) }),
      { jobs: 1, workerUrl: FAULTY },
    );
    expect(seen.entrySeqs["c.jsonl"]).toEqual([1, 2]);
    expect(failuresOf(seen)).toEqual([
      ["b.jsonl", expect.stringMatching(/^TypeError at [\w-]+\.m?js:\d+:\d+ near line \d+$/)],
    ]);
  });

  it("gives up where workers can't start", async () => {
    const requests = requestsFor({ "a.jsonl": session("a", 1) });
    const workerUrl = new URL("./support/no-such-worker.mjs", import.meta.url);
    await expect(run(requests, { workerUrl })).rejects.toMatchObject({
      code: "FAILED",
      message: expect.stringContaining("can't start"),
    });
    const idle = new URL("./support/idle-worker.mjs", import.meta.url);
    await expect(run(requests, { workerUrl: idle })).rejects.toThrow(
      "readers of session files ended with 1 files unread",
    );
  });

  it("waits for a slow consumer without taking it for a stall", async () => {
    let calls = 0;
    const onBatch = async (): Promise<void> => {
      calls += 1;
      await sleep(calls === 1 ? 2_500 : 0);
    };
    const seen = await run(requestsFor({ "a.jsonl": session("a", 6_000), "b.jsonl": session("b", 6_000) }), {
      jobs: 2,
      onBatch,
      stallMs: 1_000,
    });
    expect(seen.results.map((result) => result.ok)).toEqual([true, true]);
  });
});
