import type { RawRecord } from "../../flow.js";
import { FLAG } from "../entry-store.js";
import { asRecord, asString, leftoverOf, withPart } from "../fields.js";
import { startMessageRow } from "../message-rows.js";
import type { Entry } from "../record-identity.js";
import type { Session } from "../session.js";
import { entryShape } from "./base-shape.js";

const SHAPE = entryShape({ targetId: "string", replacement: "kept" });

/** Changes what Pi sends from here on; the target's own record, and what it cost, stay. */
export function readContextEdit(record: RawRecord, entry: Entry, session: Session): void {
  const targetId = asString(record["targetId"]);
  const replacement = record["replacement"] ?? null;
  const omits = replacement === null;
  if (targetId !== null && (omits || asRecord(replacement) !== null)) {
    session.entries.mark(entry.seq, FLAG.CONTEXT_EDIT | (omits ? FLAG.OMITS : 0));
    session.context.editTargets.set(entry.seq, targetId);
  }
  entry.left = withPart(leftoverOf(record, SHAPE), "replacement", replacement);

  const row = startMessageRow(session, entry, null);
  row.columns.target_entry_id.put(targetId);
  row.columns.is_omission.put(omits);
  row.endRow();
}
