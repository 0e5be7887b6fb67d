import type { RawRecord } from "../../flow.js";
import { FLAG } from "../entry-store.js";
import { asRecord, asString, instantOf, leftoverOf, withPart } from "../fields.js";
import { messageRoles } from "../message-roles/index.js";
import { readUnknownRole } from "../message-roles/unknown.js";
import { startMessageRow } from "../message-rows.js";
import type { Entry } from "../record-identity.js";
import type { Session } from "../session.js";
import { entryShape } from "./base-shape.js";
import { readUnknown } from "./unknown.js";

const SHAPE = entryShape({ message: "kept" });

export function readMessageEntry(record: RawRecord, entry: Entry, session: Session): void {
  session.piTotals.messages += 1;
  const message = asRecord(record["message"]);
  if (message === null) {
    readUnknown(record, entry);
    session.piTotals.isComparable = false;
    startMessageRow(session, entry, null).endRow();
    return;
  }
  session.entries.mark(entry.seq, FLAG.SENT);
  entry.messageAt = instantOf(message["timestamp"]);
  const role = asString(message["role"]);
  entry.role = role === "hookMessage" ? "custom" : role;

  const readRole = role === null ? undefined : messageRoles.get(role);
  if (readRole === undefined) {
    readUnknown(record, entry);
    readUnknownRole(message, entry, session);
    return;
  }
  const left = readRole(message, entry, session);
  entry.left = withPart(leftoverOf(record, SHAPE), "message", left);
}
