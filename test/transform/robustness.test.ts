import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assistant, calling, entry, message, toolResult, usage, user } from "../support/build-records.js";
import type { MemoryRows } from "../support/memory-sinks.js";
import { HEADER, readLines } from "../support/read-rows.js";

/** One record of every type and role, with most of their fields. */
const RECORDS: readonly Readonly<Record<string, unknown>>[] = [
  message("a01", null, { role: "system", content: "be brief", sections: { a: "b" } }),
  user("a02", "a01", [
    { type: "text", text: "go on" },
    { type: "image", data: "AA==", mimeType: "image/png" },
  ]),
  assistant("a03", "a02", { content: [{ type: "thinking", thinking: "hm", thinkingSignature: "x" }] }),
  calling("a04", "a03", "c1", { path: "a" }),
  toolResult("a05", "a04", "c1", {
    usage: usage(1),
    nestedCalls: { calls: [{ id: "c1/1", name: "bash", status: "ok" }], complete: true },
    details: {
      runId: "r",
      results: [{ agent: "a", usage: usage(1), exitCode: 0 }],
      completions: [{ results: [] }],
    },
  }),
  message("a06", "a05", { role: "bashExecution", command: "ls", output: "", exitCode: 0 }),
  entry("compaction", "a07", "a06", { summary: "s", firstKeptEntryId: "a02", usage: usage(1) }),
  entry("branch_summary", "a08", "a07", { summary: "s", fromId: "root" }),
  entry("custom", "a09", "a08", { customType: "x", data: {} }),
  entry("custom_message", "a10", "a09", { customType: "x", content: "y", display: true }),
  entry("label", "a11", "a10", { targetId: "a02", label: "x" }),
  entry("session_info", "a12", "a11", { name: "x" }),
  entry("usage", "a13", "a12", { kind: "cache_warm", usage: usage(1) }),
  entry("context_edit", "a14", "a13", { targetId: "a03", replacement: { content: "x" } }),
  entry("model_change", "a15", "a14", { provider: "a", modelId: "b" }),
  entry("thinking_level_change", "a16", "a15", { thinkingLevel: "high" }),
  assistant("a17", "a16", { stopReason: "error", errorMessage: "500" }),
  entry("plan_update", "a18", "a17", { plan: [] }),
];

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
}

function withValueAt(value: unknown, path: Path, replacement: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return replacement;
  if (Array.isArray(value)) {
    return value.map((inner, index) =>
      String(index) === String(key) ? withValueAt(inner, rest, replacement) : inner,
    );
  }
  const fields: Record<string, unknown> = { ...Object(value) };
  fields[key] = withValueAt(fields[key], rest, replacement);
  return fields;
}

const PATHS = pathsOf(RECORDS).filter((path) => path.length > 1);

function rowCounts(rows: MemoryRows): number[] {
  return [rows.entries.length, rows.entry_links.length, rows.files.length];
}

describe("any value in any place", () => {
  it("never throws, and loses no record", () => {
    fc.assert(
      fc.property(fc.constantFrom(...PATHS), fc.jsonValue(), (path, value) => {
        const changed = withValueAt(RECORDS, path, value);
        const lines = (Array.isArray(changed) ? changed : []).filter((line) => line?.type !== "session");
        expect(rowCounts(readLines([HEADER, ...lines]))).toEqual([lines.length, lines.length, 1]);
      }),
      { numRuns: 600 },
    );
  });

  it("holds for records in any order, and any parents", () => {
    const ids = [...RECORDS.map((record) => record["id"]), null, "gone", undefined, 7];
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...RECORDS), fc.constantFrom(...ids)), {
          minLength: 1,
          maxLength: 30,
        }),
        (picks) => {
          const lines = picks.map(([record, parentId]) => ({ ...record, parentId }));
          const rows = readLines([HEADER, ...lines]);
          expect(rowCounts(rows)).toEqual([lines.length, lines.length, 1]);
          for (const link of rows.entry_links)
            expect(Number(link["tree_in"])).toBeLessThan(Number(link["tree_out"]));
        },
      ),
      { numRuns: 200 },
    );
  });

  it("gives the same rows in every run", () => {
    expect(readLines([HEADER, ...RECORDS])).toEqual(readLines([HEADER, ...RECORDS]));
  });
});
