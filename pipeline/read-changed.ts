import { createHash } from "node:crypto";
import type { IngestConfig } from "./config.js";
import type { FoundFile } from "./discover/discover.js";
import type { FilePlan } from "./discover/file-state.js";
import { hashFile } from "./discover/hash-file.js";
import type { IngestHooks } from "./hooks.js";
import type { FailedFile, HeldFile, Load, LoadFile } from "./load/load.js";
import { readFiles } from "./read-files.js";

/** What came of reading the changed files. */
export interface Reading {
  readonly bytesRead: number;
  readonly failed: readonly FailedFile[];
}

/** Files whose change time alone differs are read only where their bytes differ too. */
export async function decideChanged(
  load: Load,
  plan: FilePlan,
  held: readonly HeldFile[],
): Promise<{ toRead: LoadFile[]; unchanged: number }> {
  const byPath = new Map(held.map((file) => [file.path, file]));
  const changed: FoundFile[] = [];
  const same: FoundFile[] = [];
  for (const file of plan.toVerify) {
    const before = byPath.get(file.path);
    const isSame =
      before?.isPresent === true && before.contentSha1 !== null && before.contentSha1 === hashFile(file.path);
    (isSame ? same : changed).push(file);
  }
  const returnedPaths = new Set(plan.returned.map((file) => file.path));
  const returned = held.filter((file) => returnedPaths.has(file.path));
  const toLoadFile = (file: FoundFile): LoadFile => ({ ...file, fileId: fileIdOf(load.machine, file.path) });
  await load.touch(same.map(toLoadFile));
  return {
    toRead: [...[...plan.toRead, ...changed].map(toLoadFile), ...returned],
    unchanged: plan.unchanged + same.length,
  };
}

/** Reads files into the load, in worker threads where that pays. */
export async function readChanged(
  load: Load,
  files: readonly LoadFile[],
  config: IngestConfig,
  hooks: IngestHooks,
): Promise<Reading> {
  const sizes = new Map(files.map((file) => [file.fileId, file.sizeBytes]));
  const failed: FailedFile[] = [];
  let bytesRead = 0;
  let filesDone = 0;
  if (files.length === 0) return { bytesRead, failed };
  // Most runs find nothing new and need no Arrow, whose import takes a tenth of their time.
  const { toRecordBatch } = await import("./transform/record-batches.js");
  await readFiles(
    files.map((file) => ({
      fileId: file.fileId,
      path: file.path,
      loadId: load.loadId,
      content: config.content,
    })),
    {
      jobs: config.jobs,
      totalBytes: files.reduce((sum, file) => sum + file.sizeBytes, 0),
      sizeOf: (request) => sizes.get(request.fileId) ?? 0,
      signal: hooks.signal,
      onBatch: (batch) => load.write(batch.table, toRecordBatch(batch)),
      onRestart: (fileIds) => load.takeOut(fileIds),
      onFileDone: (result) => {
        filesDone += 1;
        if (result.ok) bytesRead += result.bytesRead;
        else failed.push({ fileId: result.fileId, reason: result.reason });
        hooks.onProgress?.({ filesDone, filesTotal: files.length, bytesDone: bytesRead });
      },
    },
  );
  return { bytesRead, failed };
}

/** A line for each file that could not be read. */
export function failedWarnings(failed: readonly FailedFile[], files: readonly LoadFile[]): string[] {
  const paths = new Map(files.map((file) => [file.fileId, file.path]));
  return failed.map((file) => `${paths.get(file.fileId) ?? file.fileId}: not loaded: ${file.reason}`);
}

/** A path on a machine; the file may come and go. */
export function fileIdOf(machine: string, path: string): string {
  return createHash("sha256")
    .update(JSON.stringify([machine, path]))
    .digest("hex")
    .slice(0, 24);
}
