import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import type { ColumnBatch } from "../../pipeline/flow.js";
import { registerBatchScans } from "../../pipeline/load/batch-scan.js";
import { toRecordBatch } from "../../pipeline/transform/record-batches.js";
import { createTableBuffers } from "../../pipeline/transform/table-buffer.js";

/** DuckDB holds up to 12 bytes in the row itself and more of them elsewhere. */
const TEXTS = [
  "",
  "a",
  null,
  "twelve bytes",
  "thirteen byte",
  "\0",
  "zwölf Bytés!",
  "日本語文字",
  "a\0b which is long",
  null,
  "🙂🙂🙂",
  "🙂🙂🙂🙂",
  "x".repeat(100_000),
  "the last one, which is long",
];

async function throughDuckDb(rows: readonly (string | null)[]): Promise<unknown[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    const scans = registerBatchScans(connection);
    const batches: ColumnBatch[] = [];
    const { sinks, flush } = createTableBuffers({ content: "full", onBatch: (batch) => batches.push(batch) });
    for (const [index, text] of rows.entries()) {
      sinks.rejects.columns.file_id.put("f");
      sinks.rejects.columns.line_number.put(index);
      sinks.rejects.columns.text_start.put(text);
      sinks.rejects.endRow();
    }
    flush();
    await connection.run("create table held (line_number integer, text_start varchar)");
    for (const batch of batches) {
      scans.rejects.queue(toRecordBatch(batch));
      await connection.run(`insert into held select line_number, text_start from ${scans.rejects.sqlName}()`);
    }
    const read = await connection.runAndReadAll("select text_start from held order by line_number");
    return read.getRows().map(([text]) => text);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

describe("registerBatchScans", () => {
  it("hands over strings of all lengths as they are", async () => {
    expect(await throughDuckDb(TEXTS)).toEqual(TEXTS);
  });

  it("hands over a column of nothing but nulls or short strings", async () => {
    expect(await throughDuckDb([null, null])).toEqual([null, null]);
    expect(await throughDuckDb(["a", null, "b"])).toEqual(["a", null, "b"]);
    expect(await throughDuckDb([""])).toEqual([""]);
  });

  it("hands over many batches", async () => {
    const texts = Array.from({ length: 5_000 }, (_, row) => `row ${row} ${"é".repeat(row % 20)}`);
    expect(await throughDuckDb(texts)).toEqual(texts);
  });
});
