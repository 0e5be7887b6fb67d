import type { LinePlace, RawRecord } from "../flow.js";
import { entryTypes } from "./entry-types/index.js";
import { readUnknown } from "./entry-types/unknown.js";
import { asString, withPart } from "./fields.js";
import { toJson } from "./payload.js";
import { type Entry, identify } from "./record-identity.js";
import type { Session } from "./session.js";

/** Reads one record after the header into rows. A second header is counted, and is no entry. */
export function readRecord(session: Session, record: RawRecord, place: LinePlace): void {
  const type = asString(record["type"]);
  if (type === "session") {
    session.laterHeaders.push(session.entries.count);
    return;
  }
  const readEntry = type === null ? undefined : entryTypes.get(type);
  const entry = identify(record, place, session, readEntry !== undefined);
  noteTime(session, entry);
  if (readEntry === undefined) readUnknown(record, entry);
  else readEntry(record, entry, session);
  if (!entry.hasId) keepWrittenIds(record, entry);
  writeEntry(session, entry);
}

/** Version 1 has no ids, so one that is there all the same gives no name and no parent. */
function keepWrittenIds(record: RawRecord, entry: Entry): void {
  for (const key of ["id", "parentId"]) {
    if (typeof record[key] === "string") entry.left = withPart(entry.left, key, record[key]);
  }
}

/** What a fork copies is older than its header, and was not the session's own. */
function noteTime(session: Session, entry: Entry): void {
  if (entry.at === null) return;
  const headerAt = session.header.at;
  if (session.startedAt === null && (headerAt === null || entry.at >= headerAt)) session.startedAt = entry.at;
  if (session.endedAt === null || entry.at > session.endedAt) session.endedAt = entry.at;
}

function writeEntry(session: Session, entry: Entry): void {
  const row = session.sinks.entries;
  const { columns } = row;
  columns.session_key.put(session.header.sessionKey);
  columns.entry_seq.put(entry.seq);
  columns.entry_id.put(entry.id);
  columns.parent_entry_id.put(entry.parentId);
  columns.file_id.put(session.request.fileId);
  columns.record_key.put(entry.recordKey);
  columns.load_id.put(session.request.loadId);
  columns.own_record_key.put(entry.recordKey);
  columns.has_entry_id.put(entry.hasId);
  columns.entry_type.put(entry.type);
  columns.role.put(entry.role);
  columns.entry_at.put(entry.at);
  columns.entry_at_raw.put(entry.atRaw);
  columns.message_at.put(entry.messageAt);
  columns.tool_call_id.put(entry.toolCallId);
  columns.content_hash.put(entry.contentHash);
  columns.label_hash.put(entry.labelHash);
  columns.line_number.put(entry.place.lineNumber);
  columns.byte_offset.put(entry.place.byteOffset);
  columns.line_bytes.put(entry.place.lineBytes);
  if (entry.left !== null && session.keepsText) columns.payload_json.put(toJson(entry.left));
  row.endRow();
}
