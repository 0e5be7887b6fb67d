import type { RawRecord } from "../../flow.js";
import { asString, leftoverOf } from "../fields.js";
import { putText, startMessageRow } from "../message-rows.js";
import type { Entry } from "../record-identity.js";
import type { Session } from "../session.js";
import { entryShape } from "./base-shape.js";

const SHAPE = entryShape({ name: "string" });

/** The last one of the file names the session, whatever its branch; an absent or empty name clears it. */
export function readSessionInfo(record: RawRecord, entry: Entry, session: Session): void {
  const name = asString(record["name"]);
  const hasName = name !== null && name.trim() !== "";
  session.name = hasName ? name : null;
  entry.left = leftoverOf(record, SHAPE);

  const row = startMessageRow(session, entry, null);
  putText(row, name);
  row.columns.has_label.put(hasName);
  row.endRow();
}
