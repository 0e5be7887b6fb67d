import type { BatchTableName, batchTables } from "../schema/index.js";
import type { Column, Table } from "../schema/table.js";

export type ContentOption = "full" | "none";

/** Folders that belong to a project; `*` stands for one part of a path, `**` for any number of parts. */
export interface ProjectRule {
  readonly folders: string;
  readonly projectPath: string;
}

/** One column of a batch, laid out as Arrow does. Validity bitmaps are LSB first and padded to 8 bytes. */
export interface ColumnBuffers {
  /** Int32Array, BigInt64Array, Float64Array; bits for booleans; UTF-8 bytes for strings. */
  readonly values: Int32Array | BigInt64Array | Float64Array | Uint8Array;
  /** Strings only: row count + 1 offsets into `values`. */
  readonly offsets: Int32Array | null;
  /** Null where no value is null. */
  readonly validity: Uint8Array | null;
  readonly nullCount: number;
}

/**
 * Rows of one table on their way from a reader to the load. Columns are the table's `read` columns in
 * table order. Instants are microseconds, money is the double that Pi wrote.
 */
export interface ColumnBatch {
  readonly table: BatchTableName;
  readonly rowCount: number;
  readonly columns: readonly ColumnBuffers[];
}

type InputTypes = {
  varchar: string;
  bigint: number;
  integer: number;
  double: number;
  "decimal(18,9)": number;
  boolean: boolean;
  date: never;
  timestamptz: number;
};

type ReadKeys<T extends Table> = {
  [K in keyof T["columns"]]: T["columns"][K]["origin"] extends "read" ? K : never;
}[keyof T["columns"]];

/**
 * Takes one value of the row that is being written. Whole numbers are safe integers, instants are
 * milliseconds since 1970.
 */
export interface ColumnSink<C extends Column = Column> {
  put(value: InputTypes[C["type"]] | null | undefined): void;
}

/**
 * Writes rows of one table, a column at a time. A column that is not put before `endRow` is NULL, or
 * 0, false or "" where the table allows no NULL. Columns of class `text` are dropped under `--content none`.
 */
export interface RowSink<T extends Table = Table> {
  readonly columns: { readonly [K in ReadKeys<T>]: ColumnSink<T["columns"][K]> };
  endRow(): void;
}

export type RowSinks = { readonly [N in BatchTableName]: RowSink<(typeof batchTables)[N]> };

/** One file to read. */
export interface ReadRequest {
  readonly fileId: string;
  readonly path: string;
  readonly loadId: number;
  readonly content: ContentOption;
}

/** Where a line stands; line numbers from 1, offsets and lengths in bytes, the line's end not counted. */
export interface LinePlace {
  readonly lineNumber: number;
  readonly byteOffset: number;
  readonly lineBytes: number;
}

export type RejectReason = "invalid_json" | "not_an_object" | "line_too_long" | "line_too_dense";

export type RawRecord = Readonly<Record<string, unknown>>;

/** Takes the lines of a file in order. Each answers false when the rest of the file is of no use. */
export interface LineHandler {
  record(record: RawRecord, place: LinePlace): boolean;
  /** `message` holds nothing of the line's text; `textStart` is its first 200 characters. */
  reject(reason: RejectReason, message: string, textStart: string, place: LinePlace): boolean;
}

/** What is known of a file when its last line has been handled. */
export interface FileFacts {
  readonly lineCount: number;
  readonly blankLineCount: number;
  readonly rejectCount: number;
  /** Bytes of a last line without LF that does not parse: still being written. */
  readonly pendingTailBytes: number;
  readonly bytesRead: number;
  /** Null where reading stopped early. */
  readonly contentSha1: string | null;
  /** True where the file starts with a UTF-8 byte order mark, which Pi itself does not accept. */
  readonly hasByteOrderMark: boolean;
}

/** Turns the lines of one file into rows. */
export interface SessionTransform extends LineHandler {
  finish(facts: FileFacts): void;
}

/** Outcome of a run, printed by `ingest --json`. */
export interface LoadReport {
  readonly load_id: number;
  readonly status: "succeeded" | "failed";
  readonly files: {
    readonly seen: number;
    readonly loaded: number;
    readonly unchanged: number;
    readonly skipped: number;
    readonly missing: number;
    readonly failed: number;
  };
  readonly rows: Readonly<Record<string, number>>;
  readonly rejects: number;
  readonly pending_tails: number;
  readonly copies: number;
  readonly bytes_read: number;
  readonly duration_ms: number;
  readonly warnings: readonly string[];
  /** Data checks that found rows; the load was kept all the same. `piquet check` shows them. */
  readonly failed_checks: readonly string[];
}
