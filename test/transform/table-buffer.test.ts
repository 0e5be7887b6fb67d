import { describe, expect, it } from "vitest";
import type { ColumnBatch } from "../../pipeline/flow.js";
import { createTableBuffers } from "../../pipeline/transform/table-buffer.js";
import { batchRows } from "../support/batch-rows.js";

function collect(content: "full" | "none" = "full") {
  const batches: ColumnBatch[] = [];
  const buffers = createTableBuffers({ content, onBatch: (batch) => batches.push(batch) });
  return { batches, ...buffers };
}

describe("createTableBuffers", () => {
  it("hands out whole rows of each table that has any", () => {
    const { sinks, flush, batches } = collect();
    sinks.retries.columns.file_id.put("f1");
    sinks.retries.columns.entry_seq.put(7);
    sinks.retries.columns.is_retried.put(true);
    sinks.retries.endRow();
    sinks.rejects.columns.message.put("bad");
    sinks.rejects.columns.text_start.put("{");
    sinks.rejects.columns.byte_offset.put(5_000_000_000);
    sinks.rejects.endRow();
    flush();
    expect(batches.map(({ table, rowCount }) => [table, rowCount])).toEqual([
      ["rejects", 1],
      ["retries", 1],
    ]);
    expect(batches.flatMap(batchRows)).toEqual([
      {
        file_id: "",
        line_number: 0,
        byte_offset: 5_000_000_000n,
        line_bytes: 0n,
        reason: "",
        message: "bad",
        text_start: "{",
        load_id: 0n,
      },
      { file_id: "f1", entry_seq: 7, is_retried: true, retry_succeeded: false },
    ]);
    flush();
    expect(batches).toHaveLength(2);
  });

  it("hands out a batch at 2,048 rows, in the order of the rows", () => {
    const { sinks, flush, batches } = collect();
    for (let row = 0; row < 4_100; row += 1) {
      sinks.retries.columns.entry_seq.put(row);
      sinks.retries.endRow();
    }
    flush();
    expect(batches.map(({ rowCount }) => rowCount)).toEqual([2_048, 2_048, 4]);
    expect(batches.flatMap(batchRows).map((row) => row["entry_seq"])).toEqual(
      Array.from({ length: 4_100 }, (_, row) => row),
    );
  });

  it("hands out a batch once its strings reach 4 MB", () => {
    const { sinks, batches } = collect();
    for (let row = 0; row < 5; row += 1) {
      sinks.messages.columns.text.put("x".repeat(1_500_000));
      sinks.messages.columns.thinking.put("é".repeat(100_000));
      sinks.messages.endRow();
    }
    expect(batches.map(({ rowCount }) => rowCount)).toEqual([3]);
  });

  it("drops columns of class text where no content is wanted", () => {
    const { sinks, flush, batches } = collect("none");
    sinks.messages.columns.text.put("hello");
    sinks.messages.columns.role.put("user");
    sinks.messages.endRow();
    flush();
    expect(batches.flatMap(batchRows)).toMatchObject([{ role: "user", text: null }]);
  });

  it("drops rows that were begun and not ended", () => {
    const { sinks, flush, dropOpenRows, batches } = collect();
    const { columns } = sinks.messages;
    columns.text.put("first");
    sinks.messages.endRow();
    columns.text.put("half");
    columns.entry_seq.put(9);
    columns.message_at.put(1);
    columns.is_cancelled.put(true);
    dropOpenRows();
    columns.role.put("user");
    sinks.messages.endRow();
    columns.text.put("half again");
    flush();
    const [first, second, ...more] = batches.flatMap(batchRows);
    expect([first?.["text"], more]).toEqual(["first", []]);
    expect(second).toMatchObject({
      text: null,
      entry_seq: 0,
      message_at: null,
      is_cancelled: null,
      role: "user",
    });
  });

  it("uses recycled memory again, with nothing left of the rows before", () => {
    const { sinks, flush, recycle, batches } = collect();
    const { columns } = sinks.late_results;
    const fill = (rows: number) => {
      for (let row = 0; row < rows; row += 1) {
        columns.error_text.put("failed ".repeat(row));
        columns.result_text.put(null);
        columns.duration_ms.put(row);
        columns.is_error.put(true);
        sinks.late_results.endRow();
      }
    };
    fill(50);
    flush();
    const used = batches.pop();
    const memory = used?.columns.flatMap(({ values, offsets }) => [values.buffer, offsets?.buffer]);
    if (used !== undefined) recycle(used);
    fill(1);
    flush();
    batches.length = 0;
    for (let row = 0; row < 60; row += 1) sinks.late_results.endRow();
    columns.error_text.put("last");
    sinks.late_results.endRow();
    flush();
    const rows = batches.flatMap(batchRows);
    expect(rows.slice(0, 60).every((row) => row["error_text"] === null && row["duration_ms"] === null)).toBe(
      true,
    );
    expect(rows[0]).toMatchObject({ is_error: false, result_chars: 0n });
    expect(rows[60]).toMatchObject({ error_text: "last" });
    for (const { values } of batches[0]?.columns ?? []) expect(memory).toContain(values.buffer);
  });

  it("ignores memory that is of no use", () => {
    const { sinks, flush, recycle, batches } = collect();
    recycle({ table: "retries", rowCount: 0, columns: [] });
    sinks.retries.endRow();
    flush();
    sinks.retries.endRow();
    flush();
    expect(batches).toHaveLength(2);
  });
});
