import type { BatchTableName } from "../../schema/index.js";
import { batchTables } from "../../schema/index.js";
import type { Column, Table } from "../../schema/table.js";
import type { ColumnBatch, ColumnSink, ContentOption, RowSinks } from "../flow.js";
import { createColumnWriter, valuesBytes } from "./column-buffers.js";
import type { ColumnWriter, RowCursor } from "./column-writer.js";
import { BITS_BYTES, ROWS_PER_BATCH } from "./column-writer.js";
import { TextColumn } from "./text-column.js";

/** A batch is handed out once its strings reach this many bytes (load-path, "Recommended design" 3). */
const TEXT_BYTES_PER_BATCH = 4 * 1024 * 1024;

const DROPPED: ColumnSink = { put: () => undefined };

export interface TableBuffersOptions {
  readonly content: ContentOption;
  /** Called in the middle of `endRow` and `flush`; the batch's memory belongs to the receiver. */
  onBatch(batch: ColumnBatch): void;
}

export interface TableBuffers {
  readonly sinks: RowSinks;
  /** Hands out the rows of all tables that have any. Open rows are dropped. */
  flush(): void;
  /** Drops rows that were begun and not ended, after an error between the two. */
  dropOpenRows(): void;
  /** Takes back the memory of a batch that nobody reads any more. */
  recycle(batch: ColumnBatch): void;
}

interface TableBuffer {
  readonly columns: Readonly<Record<string, ColumnSink>>;
  endRow(): void;
  flush(): void;
  dropOpenRow(): void;
  recycle(batch: ColumnBatch): void;
}

/** Buffers of every batch table. Rows are in the order of `endRow`; each batch is full or flushed. */
export function createTableBuffers(options: TableBuffersOptions): TableBuffers {
  const byName = new Map(tableNames().map((name) => [name, createTableBuffer(name, options)]));
  const buffers = [...byName.values()];
  return {
    // The register's keys and the sinks made from them can't be tied together by types over a loop.
    sinks: Object.fromEntries(byName) as unknown as RowSinks,
    flush: () => {
      for (const buffer of buffers) buffer.flush();
    },
    dropOpenRows: () => {
      for (const buffer of buffers) buffer.dropOpenRow();
    },
    recycle: (batch) => byName.get(batch.table)?.recycle(batch),
  };
}

function createTableBuffer(name: BatchTableName, options: TableBuffersOptions): TableBuffer {
  const cursor: RowCursor = { row: 0, textBytes: 0 };
  const { writers, sinks, slabBytes } = layOut(batchTables[name], options.content, cursor);
  const spare: ColumnBatch[] = [];
  openBatch(writers, slabBytes, undefined);

  function dropOpenRow(): void {
    for (const writer of writers) writer.undo();
  }

  function handOut(): void {
    const rowCount = cursor.row;
    const columns = writers.map((writer) => writer.seal(rowCount));
    cursor.row = 0;
    cursor.textBytes = 0;
    openBatch(writers, slabBytes, spare.pop());
    options.onBatch({ table: name, rowCount, columns });
  }

  return {
    columns: sinks,
    endRow: () => {
      cursor.row += 1;
      if (cursor.row === ROWS_PER_BATCH || cursor.textBytes >= TEXT_BYTES_PER_BATCH) handOut();
    },
    flush: () => {
      dropOpenRow();
      if (cursor.row > 0) handOut();
    },
    dropOpenRow,
    recycle: (batch) => {
      if (slabOf(batch).byteLength === slabBytes) spare.push(batch);
    },
  };
}

interface Layout {
  readonly writers: readonly ColumnWriter[];
  readonly sinks: Readonly<Record<string, ColumnSink>>;
  readonly slabBytes: number;
}

/** All columns of a table but the bytes of strings share one slab, so that a batch is few transfers. */
function layOut(table: Table, content: ContentOption, cursor: RowCursor): Layout {
  const writers: ColumnWriter[] = [];
  const sinks: Record<string, ColumnSink> = {};
  let slabBytes = 0;
  for (const [name, column] of readColumns(table)) {
    const values = slabBytes;
    const validity = column.isNullable ? values + valuesBytes(column.type) : null;
    slabBytes = values + valuesBytes(column.type) + (validity === null ? 0 : BITS_BYTES);
    const writer = createColumnWriter(column.type, { values, validity }, cursor);
    writers.push(writer);
    sinks[name] = content === "none" && column.class === "text" ? DROPPED : writer;
  }
  // Filled one key after the other, an object of many keys is a hash table to V8; its copy has fixed places.
  return { writers, sinks: { ...sinks }, slabBytes };
}

function openBatch(writers: readonly ColumnWriter[], slabBytes: number, used: ColumnBatch | undefined): void {
  const slab = used === undefined ? new ArrayBuffer(slabBytes) : slabOf(used);
  if (used !== undefined) new Uint8Array(slab).fill(0);
  for (const [index, writer] of writers.entries()) {
    const bytes = used?.columns[index]?.values.buffer;
    if (writer instanceof TextColumn && bytes instanceof ArrayBuffer) writer.open(slab, bytes);
    else writer.open(slab);
  }
}

function slabOf(batch: ColumnBatch): ArrayBuffer {
  const first = batch.columns[0];
  const slab = (first?.offsets ?? first?.values)?.buffer;
  return slab instanceof ArrayBuffer ? slab : new ArrayBuffer(0);
}

function readColumns(table: Table): [string, Column][] {
  return Object.entries(table.columns).filter(([, column]) => column.origin === "read");
}

function tableNames(): BatchTableName[] {
  return Object.keys(batchTables).filter(isTableName);
}

function isTableName(name: string): name is BatchTableName {
  return Object.hasOwn(batchTables, name);
}
