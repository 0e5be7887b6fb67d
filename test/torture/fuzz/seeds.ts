import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { assistant, calling, entry, message, toolResult, usage, user } from "../../support/build-records.js";
import { HEADER } from "../../support/read-rows.js";
import { testDataFolder } from "../../support/test-data.js";

/** Longer ones slow the fuzzer down and show nothing new. */
const SEED_BYTES_MAX = 12_000;

/** A session with every type, every role and most of their fields. */
const EVERYTHING: readonly unknown[] = [
  { ...HEADER, parentSession: "/sessions/parent.jsonl" },
  message("a0000001", null, {
    role: "system",
    content: "be brief",
    sections: { a: "b" },
    toolsAdded: [{ name: "x" }],
  }),
  user("a0000002", "a0000001", [
    {
      type: "text",
      text: '<skill name="audit" location="/x">\nReferences are relative to /x.\n\nbody\n</skill>\n\nall of it',
    },
    { type: "image", data: "AAAA", mimeType: "image/png" },
  ]),
  assistant("a0000003", "a0000002", {
    stopReason: "error",
    errorMessage: '529 {"error":{"message":"overloaded"}}',
  }),
  calling("a0000004", "a0000002", "c1", { path: "src/a.ts", text: "x" }),
  toolResult("a0000005", "a0000004", "c1", {
    usage: usage(0.5),
    nestedCalls: {
      calls: [{ id: "c1/1", name: "bash", status: "error", error: "no", durationMs: 5 }],
      complete: true,
    },
    details: {
      runId: "r1",
      results: [
        { agent: "scout", usage: { input: 1, cost: 0.5, turns: 2 }, exitCode: 0, model: "anthropic/m:high" },
      ],
      completions: [
        { runId: "r2", results: [{ usage: { output: 3, cost: 0.125 }, sessionFile: "/c/r2/run-0/c.jsonl" }] },
      ],
    },
  }),
  message("a0000006", "a0000005", {
    role: "bashExecution",
    command: "ls",
    output: "a",
    exitCode: 1,
    excludeFromContext: true,
  }),
  entry("compaction", "a0000007", "a0000006", {
    summary: "s",
    firstKeptEntryId: "a0000004",
    tokensBefore: 9,
    usage: usage(1),
  }),
  entry("branch_summary", "a0000008", "a0000004", { summary: "s", fromId: "a0000007", usage: usage(0.25) }),
  entry("custom", "a0000009", "a0000008", { customType: "x", data: { a: [1] } }),
  entry("custom_message", "a0000010", "a0000009", {
    customType: "x",
    content: [{ type: "text", text: "y" }],
    display: true,
  }),
  entry("label", "a0000011", "a0000010", { targetId: "a0000002", label: "start" }),
  entry("session_info", "a0000012", "a0000011", { name: "audit" }),
  entry("usage", "a0000013", "a0000012", {
    kind: "cache_warm",
    provider: "p",
    model: "m",
    usage: usage(0.125),
  }),
  entry("context_edit", "a0000014", "a0000013", { targetId: "a0000003", replacement: null }),
  entry("model_change", "a0000015", "a0000014", { provider: "anthropic", modelId: "claude-opus-5" }),
  entry("thinking_level_change", "a0000016", "a0000015", { thinkingLevel: "high" }),
  entry("plan_update", "a0000017", "a0000016", { plan: [{ step: 1 }] }),
  assistant("a0000018", "a0000017", {
    responseModel: "m2",
    responseId: "r",
    durationMs: 900,
    thinkingLevel: "high",
  }),
];

const VERSION_1: readonly unknown[] = [
  {
    type: "session",
    id: "s0000002",
    timestamp: "2025-06-01T10:00:00.000Z",
    cwd: "/home/ada/shop",
    provider: "p",
    modelId: "m",
  },
  ...EVERYTHING.slice(2, 8).map((record) => ({ ...Object(record), id: undefined, parentId: undefined })),
  {
    type: "compaction",
    timestamp: "2026-01-05T09:02:00.000Z",
    summary: "s",
    firstKeptEntryIndex: 2,
    tokensBefore: 5,
  },
];

/** Session files to change: some made by hand, the sample, and small ones of the larger test data where it is. */
export function fuzzSeeds(): readonly Buffer[] {
  const folders = [resolve("examples/sessions"), ...dataFolders()];
  const files = folders.flatMap(sessionFiles).filter((path) => statSync(path).size <= SEED_BYTES_MAX);
  const seeds = [toFile(EVERYTHING), toFile(VERSION_1), ...files.map((path) => readFileSync(path))];
  return [
    ...seeds,
    Buffer.from('{"v":4,"kind":"header","cwd":"/x"}\n'),
    Buffer.from('{"type":"agent_start"}\n'),
  ];
}

/** The session with everything, under ids and at times that no seed has. */
export function unharmedSession(): Buffer {
  const text = toFile(EVERYTHING).toString("utf8");
  return Buffer.from(
    text
      .replaceAll("a00000", "n00000")
      .replaceAll("s0000001", "s0000009")
      .replaceAll("2026-01-05", "2026-03-07"),
  );
}

function toFile(records: readonly unknown[]): Buffer {
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

function dataFolders(): string[] {
  const folder = testDataFolder();
  return folder === null ? [] : [join(folder, "corpus"), join(folder, "cases")];
}

function sessionFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .toSorted()
    .map((name) => join(folder, name));
}
