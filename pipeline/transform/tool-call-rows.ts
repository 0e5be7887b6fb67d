import type { RawRecord } from "../flow.js";
import {
  asDuration,
  asRecord,
  asString,
  asWhole,
  type Leftover,
  leftoverOf,
  shape,
  withPart,
} from "./fields.js";
import { toJson } from "./payload.js";
import type { Entry } from "./record-identity.js";
import type { Session } from "./session.js";
import { type MatchedCall, PENDING_ARGUMENTS_BYTES, type PendingCall } from "./tool-calls.js";

const ERROR_TEXT_CHARS = 2_000;
const UNFINISHED = "unfinished";
const PATH_ARGUMENTS = ["path", "file_path", "filePath", "notebook_path"];

/** What a tool result says of its call. */
export interface CallResult {
  readonly seq: number;
  readonly at: number | null;
  readonly isError: boolean;
  readonly text: string | null;
  readonly imageCount: number;
  /** As written; else it is worked out from the two entries' times. */
  readonly durationMs: number | null;
}

/** Holds the calls of a reply back until their results come. */
export function openCalls(session: Session, entry: Entry, blocks: readonly RawRecord[]): void {
  for (let index = 0; index < blocks.length; index += 1) {
    const block = blocks[index];
    if (block !== undefined) openCall(session, entry, block, index);
  }
  for (const call of session.calls.overflow(PENDING_ARGUMENTS_BYTES)) writeCall(session, call, null);
}

function openCall(session: Session, entry: Entry, block: RawRecord, callIndex: number): void {
  const id = asString(block["id"]);
  const args = argumentsOf(block["arguments"]);
  const call: PendingCall = {
    entrySeq: entry.seq,
    callIndex,
    entryId: entry.id,
    recordKey: entry.recordKey,
    id,
    name: asString(block["name"]),
    namespace: asString(block["namespace"]),
    argumentsJson: session.keepsText ? args.json : null,
    argumentsBytes: args.bytes,
    targetPath: targetPathOf(block["arguments"]),
    startedAt: entry.at,
  };
  if (id === null) writeCall(session, call, null);
  else session.calls.add(call, id);
}

/** Gives a result to its call. False where no call of this file takes it. */
export function answerCall(session: Session, matched: MatchedCall | null, result: CallResult): boolean {
  if (matched === null) return false;
  if (matched.pending === null) writeLateResult(session, matched, result);
  else writeCall(session, matched.pending, result);
  return true;
}

/** Writes the calls that got no result. */
export function closeCalls(session: Session): void {
  for (const call of session.calls.rest()) writeCall(session, call, null);
}

function writeCall(session: Session, call: PendingCall, result: CallResult | null): void {
  const row = session.sinks.tool_calls;
  putPlace(session, call.entrySeq, call.entryId, call.recordKey, call.callIndex);
  row.columns.tool_call_id.put(call.id);
  row.columns.tool_name.put(call.name);
  row.columns.namespace.put(call.namespace);
  row.columns.arguments_json.put(call.argumentsJson);
  row.columns.arguments_bytes.put(call.argumentsBytes);
  row.columns.target_path.put(call.targetPath);
  row.columns.started_at.put(call.startedAt);
  row.columns.has_result.put(result !== null);
  if (result === null) {
    row.columns.status.put("no_result");
  } else {
    row.columns.result_entry_seq.put(result.seq);
    row.columns.is_error.put(result.isError);
    row.columns.error_text.put(errorTextOf(result));
    row.columns.result_text.put(result.text);
    row.columns.result_chars.put(result.text?.length ?? 0);
    row.columns.result_image_count.put(result.imageCount);
    row.columns.status.put(result.isError ? "error" : "ok");
    row.columns.duration_ms.put(durationOf(result, call.startedAt));
  }
  row.endRow();
}

function writeLateResult(session: Session, call: MatchedCall, result: CallResult): void {
  const row = session.sinks.late_results;
  row.columns.file_id.put(session.request.fileId);
  row.columns.entry_seq.put(call.entrySeq);
  row.columns.call_index.put(call.callIndex);
  row.columns.result_entry_seq.put(result.seq);
  row.columns.is_error.put(result.isError);
  row.columns.error_text.put(errorTextOf(result));
  row.columns.result_text.put(result.text);
  row.columns.result_chars.put(result.text?.length ?? 0);
  row.columns.result_image_count.put(result.imageCount);
  row.columns.status.put(result.isError ? "error" : "ok");
  row.columns.duration_ms.put(durationOf(result, call.startedAt));
  row.endRow();
}

const NESTED_SHAPE = shape({
  id: "string",
  name: "string",
  namespace: "string",
  arguments: "kept",
  argumentsBytes: "whole",
  status: "kept",
  durationMs: "duration",
  error: "string",
});

/**
 * Calls that an orchestrating tool made, which stand on its result. Gives back what of them no column holds.
 */
export function writeNestedCalls(
  session: Session,
  entry: Entry,
  calls: readonly unknown[],
  outer: MatchedCall | null,
): readonly unknown[] | null {
  const left: unknown[] = [];
  for (let index = 0; index < calls.length; index += 1) {
    const nested = asRecord(calls[index]);
    const rest = nested === null ? calls[index] : nestedLeftover(nested);
    if (rest !== null) left.push(rest);
    if (nested === null) continue;
    const row = session.sinks.tool_calls;
    putPlace(session, entry.seq, entry.id, entry.recordKey, index);
    row.columns.parent_tool_call_id.put(entry.toolCallId);
    row.columns.started_at.put(outer?.startedAt ?? entry.at);
    putNestedCall(session, entry, nested);
    row.endRow();
  }
  return left.length === 0 ? null : left;
}

/** A status that is none of Pi's may be any text, so it stays with the rest. */
function nestedLeftover(nested: RawRecord): Leftover | null {
  const left = leftoverOf(nested, NESTED_SHAPE);
  const status = nested["status"];
  return status === nestedStatus(status) ? left : withPart(left, "status", status);
}

function nestedStatus(written: unknown): string {
  return written === "ok" || written === "error" ? written : UNFINISHED;
}

function putNestedCall(session: Session, entry: Entry, nested: RawRecord): void {
  const { columns } = session.sinks.tool_calls;
  const args = argumentsOf(nested["arguments"]);
  const status = nestedStatus(nested["status"]);
  const hasResult = status !== UNFINISHED;
  columns.tool_call_id.put(asString(nested["id"]));
  columns.tool_name.put(asString(nested["name"]));
  columns.namespace.put(asString(nested["namespace"]));
  columns.arguments_json.put(args.json);
  columns.arguments_bytes.put(args.json === null ? (asWhole(nested["argumentsBytes"]) ?? 0) : args.bytes);
  columns.target_path.put(targetPathOf(nested["arguments"]));
  columns.has_result.put(hasResult);
  columns.result_entry_seq.put(hasResult ? entry.seq : null);
  columns.is_error.put(hasResult ? status === "error" : null);
  columns.error_text.put(asString(nested["error"])?.slice(0, ERROR_TEXT_CHARS));
  columns.status.put(status);
  columns.duration_ms.put(asDuration(nested["durationMs"]));
}

function putPlace(session: Session, seq: number, id: string, recordKey: string, callIndex: number): void {
  const { columns } = session.sinks.tool_calls;
  columns.session_key.put(session.header.sessionKey);
  columns.entry_seq.put(seq);
  columns.call_index.put(callIndex);
  columns.entry_id.put(id);
  columns.file_id.put(session.request.fileId);
  columns.record_key.put(recordKey);
  columns.load_id.put(session.request.loadId);
}

function argumentsOf(value: unknown): { readonly json: string | null; readonly bytes: number } {
  if (value === undefined || value === null) return { json: null, bytes: 0 };
  const json = toArgumentsJson(value);
  return { json, bytes: Buffer.byteLength(json) };
}

/** Unlike other kept JSON, whole: what looks like an image here is what the model wrote. */
function toArgumentsJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return toJson(value);
  }
}

function targetPathOf(value: unknown): string | null {
  const args = asRecord(value);
  if (args === null) return null;
  for (const name of PATH_ARGUMENTS) {
    const path = asString(args[name]);
    if (path !== null) return path;
  }
  return null;
}

function errorTextOf(result: CallResult): string | null {
  return result.isError ? (result.text?.slice(0, ERROR_TEXT_CHARS) ?? null) : null;
}

function durationOf(result: CallResult, startedAt: number | null): number | null {
  if (result.durationMs !== null) return result.durationMs;
  if (result.at === null || startedAt === null || result.at < startedAt) return null;
  return result.at - startedAt;
}
