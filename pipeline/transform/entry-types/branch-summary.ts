import type { RawRecord } from "../../flow.js";
import { FLAG } from "../entry-store.js";
import { asBoolean, asString, leftoverOf } from "../fields.js";
import { putText, startMessageRow } from "../message-rows.js";
import type { Entry } from "../record-identity.js";
import type { Session } from "../session.js";
import { entryShape } from "./base-shape.js";
import { readSummaryUsage } from "./summary-usage.js";

const SHAPE = entryShape({ summary: "string", fromId: "string", fromHook: "boolean", usage: "record" });

export function readBranchSummary(record: RawRecord, entry: Entry, session: Session): void {
  session.entries.mark(entry.seq, FLAG.SENT);
  const row = startMessageRow(session, entry, "branchSummary");
  putText(row, asString(record["summary"]));
  row.columns.from_entry_id.put(asString(record["fromId"]));
  row.columns.is_from_extension.put(asBoolean(record["fromHook"]) ?? false);
  row.endRow();
  entry.left = readSummaryUsage(record, entry, session, "branch_summary", leftoverOf(record, SHAPE));
}
