import type { RawRecord } from "../../flow.js";
import { type Content, readContent } from "../content-blocks.js";
import { asBoolean, asString, type Leftover, leftoverOf, shape, withPart } from "../fields.js";
import { putBlocks, putText, startMessageRow } from "../message-rows.js";
import type { Entry } from "../record-identity.js";
import type { Session } from "../session.js";

const SHAPE = shape({
  role: "string",
  timestamp: "instant",
  customType: "string",
  content: "content",
  display: "boolean",
});

/** A message of an extension; version 2 calls the role hookMessage. */
export function readCustomRole(message: RawRecord, entry: Entry, session: Session): Leftover | null {
  const content = readContent(message["content"]);
  writeCustomMessage(message, content, entry, session);
  const left = withPart(leftoverOf(message, SHAPE), "content", content.left);
  return withPart(left, "role", message["role"] === "hookMessage" ? "hookMessage" : null);
}

/** The row of an extension's message, which stands in an entry of its own or in a message. */
export function writeCustomMessage(
  record: RawRecord,
  content: Content,
  entry: Entry,
  session: Session,
): void {
  const row = startMessageRow(session, entry, "custom");
  putText(row, content.text);
  putBlocks(row, content);
  row.columns.custom_type.put(asString(record["customType"]));
  row.columns.is_displayed.put(asBoolean(record["display"]) ?? false);
  row.endRow();
}
