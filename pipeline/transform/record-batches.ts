import type { Data, DataType } from "apache-arrow";
import {
  Bool,
  Field,
  Float64,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  TimestampMicrosecond,
  Utf8,
} from "apache-arrow";
import { batchTables } from "../../schema/index.js";
import type { ColumnType, Table } from "../../schema/table.js";
import { readColumnNames } from "../../schema/table.js";
import type { ColumnBatch, ColumnBuffers } from "../flow.js";

const schemas = new Map<Table, Schema>();

/** Arrow schema of a table's `read` columns, in table order. Money is Float64: the double that Pi wrote. */
export function arrowSchema(table: Table): Schema {
  const known = schemas.get(table);
  if (known !== undefined) return known;
  const schema = new Schema(readColumnNames(table).map((name) => arrowField(table, name)));
  schemas.set(table, schema);
  return schema;
}

/** The batch as Arrow sees it, over the same memory: it lives as long as the batch is not recycled. */
export function toRecordBatch(batch: ColumnBatch): RecordBatch {
  const schema = arrowSchema(batchTables[batch.table]);
  if (schema.fields.length !== batch.columns.length)
    throw new RangeError(
      `${batch.table}: batch of ${batch.columns.length} columns, expected ${schema.fields.length}`,
    );
  const children = batch.columns.map((column, index) =>
    arrowData(column, schema.fields[index]?.type, batch.rowCount),
  );
  const type = new Struct(schema.fields);
  return new RecordBatch(schema, makeData({ type, length: batch.rowCount, nullCount: 0, children }));
}

function arrowField(table: Table, name: string): Field {
  const column = table.columns[name];
  if (column === undefined) throw new RangeError(`${table.name} has no column ${name}`);
  return new Field(name, arrowType(column.type), column.isNullable);
}

function arrowType(type: ColumnType): DataType {
  switch (type) {
    case "varchar":
      return new Utf8();
    case "bigint":
      return new Int64();
    case "integer":
      return new Int32();
    case "double":
    case "decimal(18,9)":
      return new Float64();
    case "boolean":
      return new Bool();
    case "timestamptz":
      return new TimestampMicrosecond("UTC");
    case "date":
      throw new RangeError("days are worked out by SQL and never read");
  }
}

function arrowData(column: ColumnBuffers, type: DataType | undefined, length: number): Data {
  const nulls = { nullCount: column.nullCount, nullBitmap: column.validity };
  const { values, offsets } = column;
  if (offsets !== null && values instanceof Uint8Array)
    return makeData({ type: new Utf8(), length, ...nulls, valueOffsets: offsets, data: values });
  if (type instanceof Bool && values instanceof Uint8Array)
    return makeData({ type, length, ...nulls, data: values });
  if (type instanceof Int32 && values instanceof Int32Array)
    return makeData({ type, length, ...nulls, data: values });
  if (type instanceof Float64 && values instanceof Float64Array)
    return makeData({ type, length, ...nulls, data: values });
  if (type instanceof Int64 && values instanceof BigInt64Array)
    return makeData({ type, length, ...nulls, data: values });
  if (type instanceof TimestampMicrosecond && values instanceof BigInt64Array)
    return makeData({ type, length, ...nulls, data: values });
  throw new TypeError(`buffers of ${values.constructor.name} do not fit type ${type?.typeId}`);
}
