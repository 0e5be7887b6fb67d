import type { RawRecord } from "../../flow.js";
import { asString, leftoverOf } from "../fields.js";
import { startMessageRow } from "../message-rows.js";
import type { Entry } from "../record-identity.js";
import type { Session } from "../session.js";
import { entryShape } from "./base-shape.js";

const SHAPE = entryShape({ targetId: "string", label: "string" });

/** An absent or empty label clears the one that the target had. */
export function readLabel(record: RawRecord, entry: Entry, session: Session): void {
  const targetId = asString(record["targetId"]);
  const label = asString(record["label"]);
  const hasLabel = label !== null && label !== "";
  entry.left = leftoverOf(record, SHAPE);
  entry.labelHash = hashLabel(session, targetId, label ?? "");

  const row = startMessageRow(session, entry, null);
  row.columns.target_entry_id.put(targetId);
  row.columns.label.put(hasLabel ? label : null);
  row.columns.has_label.put(hasLabel);
  row.endRow();
}

function hashLabel(session: Session, targetId: string | null, label: string): string | null {
  if (targetId === null) return null;
  session.mix.start("label");
  session.mix.text(targetId);
  session.mix.text(label);
  return session.mix.hex16();
}
