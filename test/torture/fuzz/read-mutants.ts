import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FileResult } from "../../../pipeline/extract/reader-output.js";
import type { ColumnBatch, ContentOption } from "../../../pipeline/flow.js";
import { createFileReader } from "../../../pipeline/read-file.js";
import { batchFaults, columnNames, reading } from "./batch-check.js";
import { type ExpectedLines, expectedLines } from "./expected-lines.js";
import { type Fault, fault } from "./fault.js";

/** Longest that a small file may take, on a machine that has other things to do. */
const SLOW_MS = 5_000;

const NEIGHBOUR = "neighbour";

interface FileRow {
  readonly kind: string;
  readonly lineCount: number;
  readonly blankCount: number;
  readonly rejectCount: number;
  readonly headerCount: number;
  readonly pendingBytes: number;
}

/** What one reading of a group gave, by file. */
interface Seen {
  readonly entryLines: Map<string, number[]>;
  readonly rejectLines: Map<string, number[]>;
  readonly linkCounts: Map<string, number>;
  readonly files: Map<string, FileRow>;
  /** Rows of the unharmed file, each time it was read. */
  readonly neighbours: Map<string, string[]>;
  readonly faults: Fault[];
}

/**
 * Reads mutants one after the other into the same column buffers, an unharmed file before, between and after
 * them. Gives what went wrong, each with the number of its mutant; empty where nothing did.
 */
export function readMutants(
  mutants: readonly Buffer[],
  neighbour: Buffer,
  folder: string,
  content: ContentOption,
): Fault[] {
  const path = join(folder, "mutant.jsonl");
  const neighbourPath = join(folder, "neighbour.jsonl");
  writeFileSync(neighbourPath, neighbour);
  const seen = emptySeen();
  const reader = createFileReader(content, ({ batches, results }) => {
    for (const batch of batches) {
      noteBatch(seen, batch);
      reader.recycle(batch);
    }
    for (const result of results) if (!result.ok) seen.faults.push(failed(result));
  });

  function read(fileId: string, from: string): void {
    const startedAt = performance.now();
    const open = reader.open({ fileId, path: from, loadId: 1, content }, 0);
    try {
      while (open.step());
    } catch (error) {
      seen.faults.push(fault("crash", `${fileId}: ${error}`));
    }
    const tookMs = performance.now() - startedAt;
    if (tookMs > SLOW_MS) seen.faults.push(fault("hang", `${fileId}: took ${Math.round(tookMs)} ms`));
  }

  read(`${NEIGHBOUR}-first`, neighbourPath);
  for (const [index, mutant] of mutants.entries()) {
    writeFileSync(path, mutant);
    read(`mutant-${index}`, path);
    if (index % 8 === 7) read(`${NEIGHBOUR}-${index}`, neighbourPath);
  }
  reader.finish();
  return [
    ...seen.faults,
    ...mutants.flatMap((mutant, index) => lineFaults(`mutant-${index}`, expectedLines(mutant), seen)),
    ...neighbourFaults(seen),
  ];
}

function emptySeen(): Seen {
  return {
    entryLines: new Map(),
    rejectLines: new Map(),
    linkCounts: new Map(),
    files: new Map(),
    neighbours: new Map(),
    faults: [],
  };
}

function failed(result: Extract<FileResult, { ok: false }>): Fault {
  return fault("crash", `${result.fileId}: not read: ${result.reason}`);
}

function noteBatch(seen: Seen, batch: ColumnBatch): void {
  seen.faults.push(...batchFaults(batch).map((what) => fault("other", what)));
  const fileIdAt = reading(batch, "file_id");
  const note = noting(seen, batch);
  const columns = columnNames(batch)
    .filter((name) => name !== "file_id")
    .map((name) => reading(batch, name));
  for (let row = 0; row < batch.rowCount; row += 1) {
    const fileId = String(fileIdAt(row));
    if (!fileId.startsWith(NEIGHBOUR)) note(fileId, row);
    else listOf(seen.neighbours, fileId).push(JSON.stringify([batch.table, ...columns.map((at) => at(row))]));
  }
}

/** What is noted of a row of the batch's table. */
function noting(seen: Seen, batch: ColumnBatch): (fileId: string, row: number) => void {
  switch (batch.table) {
    case "entries":
      return notingLines(seen.entryLines, batch);
    case "rejects":
      return notingLines(seen.rejectLines, batch);
    case "entry_links":
      return notingLinks(seen, batch);
    case "files":
      return notingFiles(seen, batch);
    default:
      return () => {};
  }
}

function notingLines(
  lines: Map<string, number[]>,
  batch: ColumnBatch,
): (fileId: string, row: number) => void {
  const lineAt = reading(batch, "line_number");
  return (fileId, row) => void listOf(lines, fileId).push(Number(lineAt(row)));
}

function notingLinks(seen: Seen, batch: ColumnBatch): (fileId: string, row: number) => void {
  const inAt = reading(batch, "tree_in");
  const outAt = reading(batch, "tree_out");
  return (fileId, row) => {
    seen.linkCounts.set(fileId, (seen.linkCounts.get(fileId) ?? 0) + 1);
    if (Number(inAt(row)) >= Number(outAt(row)))
      seen.faults.push(fault("other", `${fileId}: a tree turned inside out`));
  };
}

function notingFiles(seen: Seen, batch: ColumnBatch): (fileId: string, row: number) => void {
  const number = (name: string): ((row: number) => number) => {
    const at = reading(batch, name);
    return (row) => Number(at(row));
  };
  const kindAt = reading(batch, "kind");
  const lineCount = number("line_count");
  const blankCount = number("blank_line_count");
  const rejectCount = number("reject_count");
  const headerCount = number("header_count");
  const pendingBytes = number("pending_tail_bytes");
  return (fileId, row) => {
    seen.files.set(fileId, {
      kind: String(kindAt(row)),
      lineCount: lineCount(row),
      blankCount: blankCount(row),
      rejectCount: rejectCount(row),
      headerCount: headerCount(row),
      pendingBytes: pendingBytes(row),
    });
  };
}

/** No good line may be lost, and none made up. */
function lineFaults(fileId: string, expected: ExpectedLines, seen: Seen): Fault[] {
  const file = seen.files.get(fileId);
  const wanted = expected.entries?.length ?? 0;
  if (file === undefined) return [fault("lost", `${fileId}: no row in files`, wanted)];
  const entryLines = seen.entryLines.get(fileId) ?? [];
  const rejectLines = seen.rejectLines.get(fileId) ?? [];
  if (file.kind !== "session")
    return expected.entries === null && entryLines.length === 0
      ? []
      : [
          fault(
            "lost",
            `${fileId}: ${file.kind} with ${entryLines.length} entries, ${wanted} expected`,
            wanted,
          ),
        ];
  const found = new Set(entryLines);
  const lost = (expected.entries ?? []).filter((line) => !found.has(line)).length;
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ["entries", entryLines, expected.entries ?? entryLines],
    ["rejects", rejectLines, expected.bad],
    ["reject count", file.rejectCount, expected.bad.length],
    ["links", seen.linkCounts.get(fileId) ?? 0, entryLines.length],
    ["lines", file.lineCount, expected.lineCount],
    ["blank lines", file.blankCount, expected.blankCount],
    ["pending bytes", file.pendingBytes, expected.pendingBytes],
    [
      "all lines",
      entryLines.length + rejectLines.length + file.headerCount + file.blankCount,
      file.lineCount,
    ],
  ];
  const wrong = pairs
    .filter(([, actual, wanted]) => JSON.stringify(actual) !== JSON.stringify(wanted))
    .map(
      ([what, actual, wanted]) =>
        `${fileId}: ${what} ${JSON.stringify(actual)}, ${JSON.stringify(wanted)} expected`,
    );
  return wrong.length === 0 ? [] : [fault(lost > 0 ? "lost" : "other", wrong.join("; "), lost)];
}

function neighbourFaults(seen: Seen): Fault[] {
  const [first, ...others] = [...seen.neighbours].map(
    ([fileId, rows]) => [fileId, rows.toSorted().join("\n")] as const,
  );
  if (first === undefined) return [fault("other", "the unharmed file gave no rows")];
  return others
    .filter(([, rows]) => rows !== first[1])
    .map(([fileId]) => fault("other", `${fileId}: the unharmed file reads otherwise`));
}

function listOf<T>(map: Map<string, T[]>, key: string): T[] {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made: T[] = [];
  map.set(key, made);
  return made;
}
