import type { RawRecord } from "../../flow.js";
import { type Content, readContent } from "../content-blocks.js";
import { FLAG } from "../entry-store.js";
import { classifyError } from "../error-class.js";
import { asDuration, asRecord, asString, type Leftover, leftoverOf, shape, withPart } from "../fields.js";
import { type MessageRow, putBlocks, putText, startMessageRow } from "../message-rows.js";
import { normaliseError } from "../normalise-error.js";
import { addPiUsage } from "../pi-totals.js";
import type { Entry } from "../record-identity.js";
import type { Session } from "../session.js";
import { openCalls } from "../tool-call-rows.js";
import { putUsage, usageLeftover } from "../usage.js";
import { startUsageRow } from "../usage-rows.js";

const SHAPE = shape({
  role: "string",
  content: "content",
  timestamp: "instant",
  api: "string",
  provider: "string",
  model: "string",
  usage: "record",
  stopReason: "string",
  errorMessage: "string",
  responseId: "string",
  responseModel: "string",
  rawStopReason: "string",
  thinkingLevel: "string",
  durationMs: "duration",
});

const FAILED: ReadonlySet<string> = new Set(["error", "aborted"]);
const UNFINISHED: ReadonlySet<string> = new Set(["deferred", "pending"]);

interface Outcome {
  readonly stopReason: string | null;
  readonly isFailed: boolean;
  readonly isReply: boolean;
}

export function readAssistant(message: RawRecord, entry: Entry, session: Session): Leftover | null {
  const content = readContent(message["content"], true);
  const outcome = outcomeOf(asString(message["stopReason"]), content);
  const provider = asString(message["provider"]);
  const modelId = asString(message["model"]);
  if (modelId !== null) session.entries.models[entry.seq] = session.models.indexOf(provider, modelId);
  session.entries.mark(
    entry.seq,
    FLAG.ASSISTANT |
      FLAG.EDITABLE |
      (outcome.isFailed ? FLAG.FAILED : 0) |
      (outcome.isReply ? FLAG.REPLY : 0),
  );
  session.piTotals.assistantMessages += 1;
  session.piTotals.toolCalls += content.toolCalls?.length ?? 0;
  addPiUsage(session.piTotals, message["usage"]);

  writeMessage(message, content, outcome, entry, session);
  writeUsage(message, outcome, entry, session);
  if (content.toolCalls !== null) openCalls(session, entry, content.toolCalls);
  const left = withPart(leftoverOf(message, SHAPE), "content", content.left);
  return withPart(left, "usage", usageLeftover(asRecord(message["usage"])));
}

function outcomeOf(stopReason: string | null, content: Content): Outcome {
  const isFailed = stopReason !== null && FAILED.has(stopReason);
  const isFinished = stopReason === null || !UNFINISHED.has(stopReason);
  return { stopReason, isFailed, isReply: !isFailed && isFinished && content.blockCount > 0 };
}

function writeMessage(
  message: RawRecord,
  content: Content,
  outcome: Outcome,
  entry: Entry,
  session: Session,
): void {
  const row = startMessageRow(session, entry, "assistant");
  putText(row, content.text);
  putBlocks(row, content);
  row.columns.provider.put(asString(message["provider"]));
  row.columns.model_id.put(asString(message["model"]));
  row.columns.response_model.put(asString(message["responseModel"]));
  row.columns.response_id.put(asString(message["responseId"]));
  row.columns.api.put(asString(message["api"]));
  row.columns.thinking_level.put(asString(message["thinkingLevel"]));
  row.columns.stop_reason.put(outcome.stopReason);
  row.columns.raw_stop_reason.put(asString(message["rawStopReason"]));
  row.columns.duration_ms.put(asDuration(message["durationMs"]) ?? elapsedMs(entry));
  row.columns.is_failed.put(outcome.isFailed);
  row.columns.is_reply.put(outcome.isReply);
  putError(row, asString(message["errorMessage"]), outcome);
  row.endRow();
}

function putError(row: MessageRow, errorMessage: string | null, outcome: Outcome): void {
  row.columns.error_message.put(errorMessage);
  if (!outcome.isFailed) return;
  row.columns.error_class.put(classifyError(errorMessage ?? "", outcome.stopReason));
  if (errorMessage !== null) row.columns.error_message_normalized.put(normaliseError(errorMessage));
}

function writeUsage(message: RawRecord, outcome: Outcome, entry: Entry, session: Session): void {
  const row = startUsageRow(session, entry, 0, "assistant");
  row.columns.request_count.put(1);
  row.columns.provider.put(asString(message["provider"]));
  row.columns.model_id.put(asString(message["model"]));
  row.columns.response_model.put(asString(message["responseModel"]));
  row.columns.api.put(asString(message["api"]));
  row.columns.stop_reason.put(outcome.stopReason);
  row.columns.is_failed.put(outcome.isFailed);
  putUsage(row.columns, asRecord(message["usage"]));
  row.endRow();
}

/** Pi's entry time is when the reply ended, its message time when the request started. */
function elapsedMs(entry: Entry): number | null {
  if (entry.at === null || entry.messageAt === null || entry.at < entry.messageAt) return null;
  return entry.at - entry.messageAt;
}
