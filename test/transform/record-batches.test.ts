import { describe, expect, it } from "vitest";
import type { ColumnBatch } from "../../pipeline/flow.js";
import { arrowSchema, toRecordBatch } from "../../pipeline/transform/record-batches.js";
import { createTableBuffers } from "../../pipeline/transform/table-buffer.js";
import { batchTables } from "../../schema/index.js";
import { readColumnNames } from "../../schema/table.js";
import { batchRows } from "../support/batch-rows.js";

describe("arrowSchema", () => {
  it("has the read columns of every batch table, in table order", () => {
    for (const table of Object.values(batchTables))
      expect(arrowSchema(table).names).toEqual(readColumnNames(table));
  });

  it("gives each type its Arrow type and knows where nulls are allowed", () => {
    const fields = new Map(
      arrowSchema(batchTables.usage).fields.map((field) => [field.name, `${field.type} ${field.nullable}`]),
    );
    expect(
      ["source", "usage_seq", "input_tokens", "cost_usd", "is_failed", "occurred_at"].map((name) =>
        fields.get(name),
      ),
    ).toEqual([
      "Utf8 false",
      "Int32 false",
      "Int64 true",
      "Float64 true",
      "Bool false",
      "Timestamp<MICROSECOND, UTC> true",
    ]);
  });
});

describe("toRecordBatch", () => {
  it("reads what was put, over the same memory", () => {
    const batches: ColumnBatch[] = [];
    const { sinks, flush } = createTableBuffers({ content: "full", onBatch: (batch) => batches.push(batch) });
    const { columns } = sinks.usage;
    columns.source.put("assistant");
    columns.input_tokens.put(5_000_000_000);
    columns.cost_usd.put(0.0125);
    columns.occurred_at.put(Date.UTC(2026, 0, 5, 9));
    columns.is_failed.put(true);
    sinks.usage.endRow();
    columns.provider.put("anthropic");
    sinks.usage.endRow();
    flush();
    expect(batches.flatMap(batchRows)).toMatchObject([
      {
        source: "assistant",
        provider: null,
        input_tokens: 5_000_000_000n,
        cost_usd: 0.0125,
        occurred_at: 1_767_603_600_000,
        is_failed: true,
      },
      {
        source: "",
        provider: "anthropic",
        input_tokens: null,
        cost_usd: null,
        occurred_at: null,
        is_failed: false,
      },
    ]);
    const [batch] = batches;
    if (batch === undefined) throw new Error("no batch");
    const shared = toRecordBatch(batch).data.children.map((data) => data.values?.buffer);
    expect(shared).toEqual(batch.columns.map(({ values }) => values.buffer));
  });

  it("refuses buffers that do not fit the table", () => {
    expect(() => toRecordBatch({ table: "retries", rowCount: 0, columns: [] })).toThrow(
      "retries: batch of 0 columns, expected 4",
    );
  });
});
