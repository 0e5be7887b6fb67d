import type { RowSinks } from "../flow.js";
import type { Entry } from "./record-identity.js";
import type { Session } from "./session.js";

export type UsageSource =
  | "assistant"
  | "tool_result"
  | "subagent"
  | "compaction"
  | "branch_summary"
  | "usage_entry";

/** Starts a row of `usage`; the caller puts what the carrier says and ends it. */
export function startUsageRow(
  session: Session,
  entry: Entry,
  usageSeq: number,
  source: UsageSource,
): RowSinks["usage"] {
  const row = session.sinks.usage;
  row.columns.session_key.put(session.header.sessionKey);
  row.columns.entry_seq.put(entry.seq);
  row.columns.usage_seq.put(usageSeq);
  row.columns.entry_id.put(entry.id);
  row.columns.file_id.put(session.request.fileId);
  row.columns.record_key.put(entry.recordKey);
  row.columns.load_id.put(session.request.loadId);
  row.columns.source.put(source);
  row.columns.occurred_at.put(entry.at);
  return row;
}
