import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteText } from "../../schema/ddl.js";
import { SCHEMA_VERSION } from "../../schema/index.js";
import { PipelineError } from "../errors.js";
import { type Part, partQuery } from "./parts.js";
import { textLiteralMap } from "./published-database.js";
import { relationName } from "./relations.js";

/** What stands in the metadata of every file beside its own description. */
export interface FileStamp {
  readonly contractVersion: string;
  readonly toolVersion: string;
}

export interface WrittenPart {
  readonly bytes: number;
  readonly sha256: string;
}

/** Rows a row group; long texts of more would not fit into memory. */
const ROW_GROUP_ROWS = 122_880;
const LONG_TEXT_ROW_GROUP_ROWS = 20_480;

/** Writes the rows of a part to a local file, sorted. */
export async function writePart(
  connection: DuckDBConnection,
  part: Part,
  path: string,
  stamp: FileStamp,
): Promise<WrittenPart> {
  const rowGroupRows = part.relation.hasLongText ? LONG_TEXT_ROW_GROUP_ROWS : ROW_GROUP_ROWS;
  const options = [
    "format parquet",
    "compression zstd",
    "parquet_version v2",
    `row_group_size ${rowGroupRows}`,
    "use_tmp_file false",
    `kv_metadata ${textLiteralMap(metadata(part, stamp))}`,
  ];
  try {
    await connection.run(`copy (${partQuery(part)}) to ${quoteText(path)} (${options.join(", ")})`);
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : "";
    throw new PipelineError("FAILED", `cannot write ${relationName(part.relation)} to ${path}: ${reason}`, {
      cause,
    });
  }
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return { bytes: (await stat(path)).size, sha256: hash.digest("hex") };
}

function metadata({ relation }: Part, stamp: FileStamp): Record<string, string> {
  return {
    piquet_relation: relationName(relation),
    piquet_description: relation.description,
    piquet_schema_version: String(SCHEMA_VERSION),
    piquet_contract_version: stamp.contractVersion,
    piquet_tool_version: stamp.toolVersion,
    piquet_columns: JSON.stringify(
      Object.fromEntries(relation.columns.map((column) => [column.name, column.description])),
    ),
  };
}
