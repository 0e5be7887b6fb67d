import type { ColumnBatch } from "../../pipeline/flow.js";
import { toRecordBatch } from "../../pipeline/transform/record-batches.js";

/** Rows of a batch as Arrow itself reads them: bigint for 64-bit columns, milliseconds for instants. */
export function batchRows(batch: ColumnBatch): Record<string, unknown>[] {
  return toRecordBatch(batch)
    .toArray()
    .map((row: { toJSON(): Record<string, unknown> }) => row.toJSON());
}
