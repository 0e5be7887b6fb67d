import type { ColumnBatch } from "../flow.js";

/** What became of one file. `reason` holds nothing of what the file says. */
export type FileResult =
  | {
      readonly fileId: string;
      readonly ok: true;
      readonly bytesRead: number;
      readonly pendingTailBytes: number;
      readonly rejectCount: number;
    }
  | { readonly fileId: string; readonly ok: false; readonly reason: string };

/** What a reader of files hands over at a time: first the batches, then files whose rows are all out. */
export interface ReaderOutput {
  readonly batches: readonly ColumnBatch[];
  /** Files that may have rows in the batches. */
  readonly fileIds: readonly string[];
  readonly results: readonly FileResult[];
}

/** Memory of batches that can be handed to another thread without a copy. */
export function memoryOf(batches: readonly ColumnBatch[]): ArrayBuffer[] {
  const memory = new Set<ArrayBuffer>();
  for (const { columns } of batches)
    for (const { values, offsets, validity } of columns)
      for (const view of [values, offsets, validity])
        if (view?.buffer instanceof ArrayBuffer) memory.add(view.buffer);
  return [...memory];
}
