import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteText } from "../../schema/ddl.js";
import { files } from "../../schema/files.js";
import { TRANSFORM_VERSION } from "../../schema/index.js";
import { rejects } from "../../schema/rejects.js";
import type { ContentOption } from "../flow.js";
import { insertSql } from "./insert-sql.js";
import { runLoadSql } from "./sql.js";

const FROM_FILES = `stage_files
inner join run_files on run_files.file_id = stage_files.file_id
left join held_files on held_files.file_id = stage_files.file_id
left join readings on readings.file_id = stage_files.file_id`;

const FOUND = ["machine", "path", "root_path", "size_bytes", "mtime_ms", "ctime_ms", "inode", "device"];

function foundValues(table: string): Record<string, string> {
  return {
    ...Object.fromEntries(FOUND.map((name) => [name, `${table}.${name}`])),
    is_present: "true",
    load_id: "getvariable('load_id')",
  };
}

/** Writes down the state in which each file was read, and the lines that held no record. */
export async function settleFiles(connection: DuckDBConnection, content: ContentOption): Promise<void> {
  await runLoadSql(connection, "held_files");
  await runLoadSql(connection, "delete_read_files", { table: "files" });
  await runLoadSql(connection, "delete_read_files", { table: "rejects" });
  const read = {
    ...foundValues("run_files"),
    session_key: "readings.session_key",
    first_load_id: "coalesce(held_files.first_load_id, getvariable('load_id'))",
    transform_version: String(TRANSFORM_VERSION),
    content: quoteText(content),
  };
  await connection.run(insertSql(files, FROM_FILES, read, "stage_files"));
  await connection.run(
    insertSql(
      rejects,
      "stage_rejects inner join run_files on run_files.file_id = stage_rejects.file_id",
      { machine: "run_files.machine", path: "run_files.path" },
      "stage_rejects",
    ),
  );
  await insertUnread(connection);
  for (const step of ["mark_missing_files", "key_files", "mark_child_files"])
    await runLoadSql(connection, step);
}

async function insertUnread(connection: DuckDBConnection): Promise<void> {
  await runLoadSql(connection, "mark_unread");
  const unread = {
    ...foundValues("unread_files"),
    file_id: "unread_files.file_id",
    kind: "'unreadable'",
    skip_reason: "'unreadable'",
    unreadable_reason: "unread_files.reason",
    content: "''",
    first_load_id: "getvariable('load_id')",
  };
  await connection.run(
    insertSql(
      files,
      "unread_files anti join base.files on files.file_id = unread_files.file_id",
      unread,
      null,
    ),
  );
}
