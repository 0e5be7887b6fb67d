import type { RawRecord } from "../../flow.js";
import { readContent } from "../content-blocks.js";
import { FLAG } from "../entry-store.js";
import {
  asBoolean,
  asDuration,
  asRecord,
  asString,
  type Leftover,
  leftoverOf,
  shape,
  withPart,
} from "../fields.js";
import { putBlocks, startMessageRow } from "../message-rows.js";
import { addOptionalPiUsage } from "../pi-totals.js";
import type { Entry } from "../record-identity.js";
import type { Session } from "../session.js";
import { runIdOf, writeSubAgentUsage } from "../sub-agents.js";
import { answerCall, writeNestedCalls } from "../tool-call-rows.js";
import type { MatchedCall } from "../tool-calls.js";
import { putUsage, usageLeftover } from "../usage.js";
import { startUsageRow } from "../usage-rows.js";

const SHAPE = shape({
  role: "string",
  content: "content",
  timestamp: "instant",
  toolCallId: "string",
  toolName: "string",
  isError: "boolean",
  durationMs: "duration",
  usage: "record",
  nestedCalls: "record",
});
const NESTED_SHAPE = shape({ calls: "content" });

export function readToolResult(message: RawRecord, entry: Entry, session: Session): Leftover | null {
  session.piTotals.toolResults += 1;
  session.entries.mark(entry.seq, FLAG.EDITABLE);
  entry.toolCallId = asString(message["toolCallId"]);
  const content = readContent(message["content"]);
  const details = asRecord(message["details"]);
  const isError = asBoolean(message["isError"]) ?? false;
  const durationMs = asDuration(message["durationMs"]);

  const call =
    entry.toolCallId === null ? null : session.calls.answer(entry.toolCallId, entry.seq, session.entries);
  const isHeldByCall = answerCall(session, call, {
    seq: entry.seq,
    at: entry.at,
    isError,
    text: content.text,
    imageCount: content.imageCount,
    durationMs,
  });
  const nested = asRecord(message["nestedCalls"]);
  const nestedLeft = nested === null ? null : readNestedCalls(session, entry, nested, call);

  const row = startMessageRow(session, entry, "toolResult");
  row.columns.text.put(isHeldByCall ? null : content.text);
  row.columns.text_chars.put(content.text?.length ?? 0);
  putBlocks(row, content);
  row.columns.duration_ms.put(durationMs);
  row.columns.tool_call_id.put(entry.toolCallId);
  row.columns.tool_name.put(asString(message["toolName"]));
  row.columns.is_error.put(isError);
  row.columns.full_output_path.put(asString(details?.["fullOutputPath"]));
  row.endRow();

  writeUsage(message, details, entry, session);
  const left = withPart(leftoverOf(message, SHAPE), "content", content.left);
  const withUsage = withPart(left, "usage", usageLeftover(asRecord(message["usage"])));
  return withPart(withUsage, "nestedCalls", nestedLeft);
}

function readNestedCalls(
  session: Session,
  entry: Entry,
  nested: RawRecord,
  outer: MatchedCall | null,
): Leftover | null {
  const left = leftoverOf(nested, NESTED_SHAPE);
  const calls = nested["calls"];
  if (!Array.isArray(calls)) return left;
  return withPart(left, "calls", writeNestedCalls(session, entry, calls, outer));
}

/** The result's own usage, and what sub-agents used as its details tell it. Which of them counts is SQL's to say. */
function writeUsage(message: RawRecord, details: RawRecord | null, entry: Entry, session: Session): void {
  addOptionalPiUsage(session.piTotals, message["usage"]);
  const toolName = asString(message["toolName"]);
  const usage = asRecord(message["usage"]);
  if (usage !== null) {
    const row = startUsageRow(session, entry, 0, "tool_result");
    row.columns.tool_name.put(toolName);
    row.columns.subagent_run_id.put(runIdOf(details));
    row.columns.child_session_path.put(asString(details?.["sessionFile"]));
    putUsage(row.columns, usage);
    row.endRow();
  }
  if (details !== null) writeSubAgentUsage(session, entry, details, toolName);
}
