import type { RawRecord } from "../../flow.js";
import { readContent } from "../content-blocks.js";
import { putBlocks, putText, startMessageRow } from "../message-rows.js";
import type { Entry } from "../record-identity.js";
import type { Session } from "../session.js";

/** A message of a role that is not known: its text shows like any other, the entry keeps the whole record. */
export function readUnknownRole(message: RawRecord, entry: Entry, session: Session): void {
  const content = readContent(message["content"]);
  const row = startMessageRow(session, entry, entry.role);
  putText(row, content.text);
  putBlocks(row, content);
  row.endRow();
}
