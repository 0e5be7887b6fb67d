import type { RawRecord } from "../../flow.js";
import { asString, leftoverOf } from "../fields.js";
import { startMessageRow } from "../message-rows.js";
import type { Entry } from "../record-identity.js";
import type { Session } from "../session.js";
import { entryShape } from "./base-shape.js";

const SHAPE = entryShape({ thinkingLevel: "string" });

export function readThinkingLevelChange(record: RawRecord, entry: Entry, session: Session): void {
  entry.left = leftoverOf(record, SHAPE);
  const row = startMessageRow(session, entry, null);
  row.columns.thinking_level.put(asString(record["thinkingLevel"]));
  row.endRow();
}
