import type { RowSinks } from "../flow.js";
import type { Content } from "./content-blocks.js";
import type { Entry } from "./record-identity.js";
import type { Session } from "./session.js";

export type MessageRow = RowSinks["messages"];

/** Starts a row of `messages`; the caller puts what its type has and ends it. */
export function startMessageRow(session: Session, entry: Entry, role: string | null): MessageRow {
  const row = session.sinks.messages;
  row.columns.session_key.put(session.header.sessionKey);
  row.columns.entry_seq.put(entry.seq);
  row.columns.entry_id.put(entry.id);
  row.columns.file_id.put(session.request.fileId);
  row.columns.record_key.put(entry.recordKey);
  row.columns.load_id.put(session.request.loadId);
  row.columns.entry_type.put(entry.type);
  row.columns.role.put(role);
  row.columns.entry_at.put(entry.at);
  row.columns.message_at.put(entry.messageAt);
  return row;
}

export function putText(row: MessageRow, text: string | null): void {
  row.columns.text.put(text);
  row.columns.text_chars.put(text?.length ?? 0);
}

/** Everything of the blocks but their text, which not every message keeps here. */
export function putBlocks(row: MessageRow, content: Content): void {
  row.columns.thinking.put(content.thinking);
  row.columns.thinking_chars.put(content.thinking?.length ?? 0);
  row.columns.block_count.put(content.blockCount);
  row.columns.tool_call_count.put(content.toolCalls?.length ?? 0);
  row.columns.unknown_block_count.put(content.unknownBlockCount);
  row.columns.image_count.put(content.imageCount);
  row.columns.image_bytes.put(content.imageBytes);
  row.columns.signature_bytes.put(content.signatureBytes);
}
