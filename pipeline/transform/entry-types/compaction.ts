import type { RawRecord } from "../../flow.js";
import { FLAG } from "../entry-store.js";
import { asBoolean, asRecord, asString, asWhole, leftoverOf } from "../fields.js";
import { putText, startMessageRow } from "../message-rows.js";
import type { Entry } from "../record-identity.js";
import type { Session } from "../session.js";
import { entryShape } from "./base-shape.js";
import { readSummaryUsage } from "./summary-usage.js";

const SHAPE = entryShape({
  summary: "string",
  firstKeptEntryId: "string",
  firstKeptEntryIndex: "kept",
  tokensBefore: "whole",
  fromHook: "boolean",
  usage: "record",
});

export function readCompaction(record: RawRecord, entry: Entry, session: Session): void {
  const { entries } = session;
  const firstKeptId =
    asString(record["firstKeptEntryId"]) ?? idAtIndex(session, record["firstKeptEntryIndex"]);
  const hasSystemMessage = asRecord(record["systemMessage"]) !== null;
  entries.mark(entry.seq, FLAG.SENT | FLAG.COMPACTION | (hasSystemMessage ? FLAG.HAS_SYSTEM_MESSAGE : 0));
  if (firstKeptId !== null) session.context.firstKeptIds.set(entry.seq, firstKeptId);

  const row = startMessageRow(session, entry, "compactionSummary");
  putText(row, asString(record["summary"]));
  row.columns.tokens_before.put(asWhole(record["tokensBefore"]));
  row.columns.first_kept_entry_id.put(firstKeptId);
  row.columns.is_from_extension.put(asBoolean(record["fromHook"]) ?? false);
  row.endRow();
  entry.left = readSummaryUsage(record, entry, session, "compaction", leftoverOf(record, SHAPE));
}

/** Version 1 counts all records, the header being 0; later headers take an index but are no entries. */
function idAtIndex(session: Session, value: unknown): string | null {
  const index = asWhole(value);
  if (index === null) return null;
  let seq = index;
  for (let header = 0; header < session.laterHeaders.length; header += 1) {
    const entriesBefore = session.laterHeaders[header] ?? 0;
    if (index > entriesBefore + header) seq -= 1;
  }
  return seq >= 1 ? (session.entries.ids[seq] ?? null) : null;
}
