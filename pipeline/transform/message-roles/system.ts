import type { RawRecord } from "../../flow.js";
import { readContent } from "../content-blocks.js";
import { FLAG } from "../entry-store.js";
import { type Leftover, leftoverOf, shape, withPart } from "../fields.js";
import { putBlocks, putText, startMessageRow } from "../message-rows.js";
import type { Entry } from "../record-identity.js";
import type { Session } from "../session.js";

const SHAPE = shape({ role: "string", content: "content", timestamp: "instant" });

/** A change of the system prompt or of the tools; its sections and tools are kept as they are. */
export function readSystem(message: RawRecord, entry: Entry, session: Session): Leftover | null {
  session.entries.mark(entry.seq, FLAG.SYSTEM);
  const content = readContent(message["content"]);
  const row = startMessageRow(session, entry, "system");
  putText(row, content.text);
  putBlocks(row, content);
  row.endRow();
  return withPart(leftoverOf(message, SHAPE), "content", content.left);
}
