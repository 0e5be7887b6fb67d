import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ColumnBuffers } from "../../pipeline/flow.js";
import { createColumnWriter, valuesBytes } from "../../pipeline/transform/column-buffers.js";
import { BITS_BYTES, ROWS_PER_BATCH } from "../../pipeline/transform/column-writer.js";
import type { ColumnType } from "../../schema/table.js";

function column(type: ColumnType, isNullable = true) {
  const cursor = { row: 0, textBytes: 0 };
  const validity = isNullable ? valuesBytes(type) : null;
  const writer = createColumnWriter(type, { values: 0, validity }, cursor);
  writer.open(new ArrayBuffer(valuesBytes(type) + BITS_BYTES));
  const fill = (values: readonly unknown[]): ColumnBuffers => {
    for (const value of values) {
      if (value !== "nothing put") writer.put(value);
      cursor.row += 1;
    }
    return writer.seal(cursor.row);
  };
  return { cursor, writer, fill };
}

function strings({ values, offsets }: ColumnBuffers): string[] {
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  return Array.from({ length: (offsets?.length ?? 1) - 1 }, (_, row) =>
    bytes.toString("utf8", offsets?.[row], offsets?.[row + 1]),
  );
}

describe("a column of whole numbers", () => {
  it("keeps every safe integer exactly", () => {
    const numbers = [0, -1, 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, -(2 ** 32), 2 ** 53 - 1, -(2 ** 53 - 1)];
    const { values, validity, nullCount } = column("bigint").fill(numbers);
    expect([...values]).toEqual(numbers.map(BigInt));
    expect([validity, nullCount]).toEqual([null, 0]);
    fc.assert(
      fc.property(fc.maxSafeInteger(), (number) => {
        expect(column("bigint").fill([number]).values[0]).toBe(BigInt(number));
      }),
    );
  });

  it("is null for what is no safe integer, and for no value", () => {
    const { values, validity, nullCount } = column("bigint").fill([
      7,
      1.5,
      2 ** 53,
      Number.NaN,
      "7",
      true,
      {},
      null,
      undefined,
      "nothing put",
    ]);
    expect([...values]).toEqual([7n, ...Array(9).fill(0n)]);
    expect(nullCount).toBe(9);
    expect([...(validity ?? [])]).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
  });

  it("is 0 instead where no null is allowed", () => {
    const { values, validity, nullCount } = column("integer", false).fill([5, 2 ** 31, null, "nothing put"]);
    expect([[...values], validity, nullCount]).toEqual([[5, 0, 0, 0], null, 0]);
  });
});

describe("a column of instants", () => {
  it("takes milliseconds and keeps microseconds", () => {
    const { values, nullCount } = column("timestamptz").fill([
      Date.UTC(2026, 0, 5, 9),
      -1,
      0.0015,
      Number.POSITIVE_INFINITY,
      1e16,
    ]);
    expect([...values]).toEqual([1_767_603_600_000_000n, -1000n, 2n, 0n, 0n]);
    expect(nullCount).toBe(2);
  });
});

describe("a column of doubles", () => {
  it("leaves out what is not finite", () => {
    const { values, nullCount } = column("double").fill([
      0.1,
      1e300,
      Number.NaN,
      Number.NEGATIVE_INFINITY,
      "1",
    ]);
    expect([[...values], nullCount]).toEqual([[0.1, 1e300, 0, 0, 0], 3]);
  });

  it("leaves out money that DECIMAL(18,9) can't hold", () => {
    const { values, nullCount } = column("decimal(18,9)").fill([999_999_999.5, 1e9, -1e9, -0.25]);
    expect([[...values], nullCount]).toEqual([[999_999_999.5, 0, 0, -0.25], 2]);
  });
});

describe("a column of booleans", () => {
  it("packs bits, the lowest first", () => {
    const { values, validity, nullCount } = column("boolean").fill([
      true,
      false,
      null,
      true,
      1,
      true,
      false,
      true,
      true,
    ]);
    expect([...values]).toEqual([0b10101001, 1, 0, 0, 0, 0, 0, 0]);
    expect([...(validity ?? [])]).toEqual([0b11101011, 1, 0, 0, 0, 0, 0, 0]);
    expect(nullCount).toBe(2);
  });
});

describe("a column of strings", () => {
  it("keeps each string, NUL included, as UTF-8", () => {
    const texts = ["", "a\u0000b", "é", "日本語", "😀", "\u2028", "x".repeat(100_000), "ü".repeat(70_000)];
    const buffers = column("varchar").fill(texts);
    expect(strings(buffers)).toEqual(texts);
    expect(buffers.nullCount).toBe(0);
  });

  it("keeps any string that JavaScript can hold, half surrogates as U+FFFD", () => {
    const text = fc.string({ unit: "binary", maxLength: 60 });
    fc.assert(
      fc.property(fc.array(fc.oneof(text, fc.constant(null)), { maxLength: 40 }), (texts) => {
        const buffers = column("varchar").fill(texts);
        expect(strings(buffers)).toEqual(texts.map((value) => (value ?? "").toWellFormed()));
        expect(buffers.nullCount).toBe(texts.filter((value) => value === null).length);
      }),
    );
    expect(strings(column("varchar").fill(["\ud83d", `${"a".repeat(30)}\ude00`]))).toEqual([
      "\ufffd",
      `${"a".repeat(30)}\ufffd`,
    ]);
  });

  it("is null for what is no string, wherever it stands, and empty where no null is allowed", () => {
    const values = ["nothing put", "a", 5, "nothing put", null, "b", "nothing put"];
    const nullable = column("varchar").fill(values);
    expect(strings(nullable)).toEqual(["", "a", "", "", "", "b", ""]);
    expect([nullable.nullCount, nullable.validity?.[0]]).toEqual([5, 0b100010]);
    const required = column("varchar", false).fill(values);
    expect(strings(required)).toEqual(["", "a", "", "", "", "b", ""]);
    expect([required.nullCount, required.validity]).toEqual([0, null]);
  });

  it("fills all rows of a batch", () => {
    const texts = Array.from({ length: ROWS_PER_BATCH }, (_, row) => `row ${row}`);
    expect(strings(column("varchar").fill(texts))).toEqual(texts);
  });

  it("counts the bytes of what it holds, a value put twice once", () => {
    const { cursor, writer } = column("varchar");
    writer.put("first");
    writer.put("é");
    expect(cursor.textBytes).toBe(2);
    cursor.row += 1;
    writer.put("gone");
    writer.undo();
    writer.undo();
    cursor.row += 1;
    writer.put("kept");
    expect(cursor.textBytes).toBe(6);
    cursor.row += 1;
    const buffers = writer.seal(cursor.row);
    expect(strings(buffers)).toEqual(["é", "", "kept"]);
    expect(buffers.nullCount).toBe(1);
  });
});

describe("a value put twice", () => {
  it("is the last one", () => {
    for (const [type, first, last] of [
      ["integer", 1, 2],
      ["double", 1, 2],
      ["boolean", true, false],
    ] as const) {
      const { writer, fill } = column(type);
      writer.put(first);
      const buffers = fill([last]);
      expect(Number(buffers.values[0])).toBe(type === "boolean" ? 0 : 2);
      writer.put(null);
    }
    const { writer, fill } = column("integer");
    writer.put(1);
    expect(fill([null]).nullCount).toBe(1);
  });
});
