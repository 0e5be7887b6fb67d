import type { FileFacts, ReadRequest, RowSinks } from "../flow.js";
import { type PiTotals, startPiTotals } from "./pi-totals.js";
import type { Session } from "./session.js";

/** What a file turned out to be. */
export interface FileOutcome {
  readonly kind: "session" | "empty" | "not_a_session";
  readonly skipReason: string | null;
  readonly session: Session | null;
}

export function writeFileRow(
  sinks: RowSinks,
  request: ReadRequest,
  facts: FileFacts,
  outcome: FileOutcome,
): void {
  const { session } = outcome;
  const { columns } = sinks.files;
  columns.file_id.put(request.fileId);
  columns.kind.put(outcome.kind);
  columns.skip_reason.put(outcome.skipReason);
  columns.content_sha1.put(facts.contentSha1);
  columns.line_count.put(facts.lineCount);
  columns.blank_line_count.put(facts.blankLineCount);
  // Bad lines of a file that is no session say nothing beyond that, and are not listed.
  columns.reject_count.put(session === null ? 0 : facts.rejectCount);
  columns.pending_tail_bytes.put(facts.pendingTailBytes);
  columns.record_count.put(session?.entries.count ?? 0);
  columns.header_count.put(session === null ? 0 : session.laterHeaders.length + 1);
  const isComparable = session !== null && !facts.hasByteOrderMark && session.piTotals.isComparable;
  putPiTotals(columns, session?.piTotals ?? startPiTotals(), isComparable);
  sinks.files.endRow();
}

function putPiTotals(columns: RowSinks["files"]["columns"], totals: PiTotals, isComparable: boolean): void {
  columns.pi_input_tokens.put(totals.input);
  columns.pi_output_tokens.put(totals.output);
  columns.pi_cache_read_tokens.put(totals.cacheRead);
  columns.pi_cache_write_tokens.put(totals.cacheWrite);
  columns.pi_cost_usd.put(totals.costUsd);
  columns.pi_user_message_count.put(totals.userMessages);
  columns.pi_assistant_message_count.put(totals.assistantMessages);
  columns.pi_tool_call_count.put(totals.toolCalls);
  columns.pi_tool_result_count.put(totals.toolResults);
  columns.pi_message_count.put(totals.messages);
  columns.pi_is_comparable.put(isComparable);
}
