import type { RawRecord } from "../flow.js";
import { asPosition, asRecord, asString, asWhole } from "./fields.js";
import type { Entry } from "./record-identity.js";
import type { Session } from "./session.js";
import { hasUsage, putUsage } from "./usage.js";
import { startUsageRow } from "./usage-rows.js";

/** Odd numbers are left free: the load splits a carrier that its children cover in part. */
const USAGE_SEQ_STEP = 2;

const FINISHED: ReadonlySet<string> = new Set([
  "complete",
  "completed",
  "done",
  "success",
  "succeeded",
  "ok",
  "failed",
  "error",
  "aborted",
  "cancelled",
  "stopped",
  "timeout",
  "timed_out",
]);
const FAILED: ReadonlySet<string> = new Set(["failed", "error", "aborted"]);
/** Pi takes a thinking level after the model, as in `anthropic/claude-opus-5:high`. */
const THINKING_SUFFIX = /:(?:off|minimal|low|medium|high|xhigh|max)$/;

/**
 * Writes a usage row per child run that a tool result's details report. Runs are known by their shape (an
 * element of `results` or of `completions[].results` with a usage), whatever the tool is called; messages,
 * attempts and totals in the details repeat the same money and give no rows (pi-format section 8).
 */
export function writeSubAgentUsage(
  session: Session,
  entry: Entry,
  details: RawRecord,
  toolName: string | null,
): void {
  const rows = new RunWriter(session, entry, toolName);
  rows.writeAll(details["results"], asString(details["runId"]));
  const completions = details["completions"];
  if (!Array.isArray(completions)) return;
  for (const value of completions) {
    const completion = asRecord(value);
    if (completion === null) continue;
    rows.writeAll(completion["results"], completionRunId(completion));
  }
}

/** The run that a tool result as a whole is about, also where it reports none of its parts. */
export function runIdOf(details: RawRecord | null): string | null {
  const runId = asString(details?.["runId"]);
  const completions = details?.["completions"];
  if (runId !== null || !Array.isArray(completions) || completions.length !== 1) return runId;
  const completion = asRecord(completions[0]);
  return completion === null ? null : completionRunId(completion);
}

function completionRunId(completion: RawRecord): string | null {
  return asString(completion["runId"]) ?? asString(completion["id"]);
}

class RunWriter {
  readonly #session: Session;
  readonly #entry: Entry;
  readonly #toolName: string | null;
  #usageSeq = 0;

  constructor(session: Session, entry: Entry, toolName: string | null) {
    this.#session = session;
    this.#entry = entry;
    this.#toolName = toolName;
  }

  writeAll(runs: unknown, runId: string | null): void {
    if (!Array.isArray(runs)) return;
    for (let position = 0; position < runs.length; position += 1) {
      const run = asRecord(runs[position]);
      if (run !== null && isReported(run)) this.#write(run, runId, position);
    }
  }

  #write(run: RawRecord, runId: string | null, position: number): void {
    this.#usageSeq += USAGE_SEQ_STEP;
    const row = startUsageRow(this.#session, this.#entry, this.#usageSeq, "subagent");
    const model = splitModel(asString(run["model"]));
    const usage = asRecord(run["usage"]);
    row.columns.tool_name.put(this.#toolName);
    row.columns.provider.put(model.provider);
    row.columns.model_id.put(model.modelId);
    row.columns.subagent_name.put(asString(run["agent"]));
    row.columns.subagent_run_id.put(runId);
    row.columns.subagent_run_index.put(asPosition(run["index"]) ?? position);
    row.columns.child_session_path.put(asString(run["sessionFile"]));
    row.columns.turn_count.put(asWhole(usage?.["turns"]));
    row.columns.stop_reason.put(asString(run["stopReason"]));
    row.columns.is_failed.put(isFailed(run));
    putUsage(row.columns, usage);
    row.endRow();
  }
}

/** A run that names its session file counts without usage too once it has ended: its cost is then missing. */
function isReported(run: RawRecord): boolean {
  if (hasUsage(asRecord(run["usage"]))) return true;
  return typeof run["sessionFile"] === "string" && FINISHED.has(asString(run["status"]) ?? "");
}

function isFailed(run: RawRecord): boolean {
  const exitCode = run["exitCode"];
  if (typeof exitCode === "number" && exitCode !== 0) return true;
  if (FAILED.has(asString(run["stopReason"]) ?? "") || FAILED.has(asString(run["status"]) ?? "")) return true;
  return typeof exitCode !== "number" && hasText(run["errorMessage"] ?? run["error"]);
}

function hasText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function splitModel(model: string | null): { provider: string | null; modelId: string | null } {
  if (model === null) return { provider: null, modelId: null };
  const plain = model.replace(THINKING_SUFFIX, "");
  const slash = plain.indexOf("/");
  return slash <= 0
    ? { provider: null, modelId: plain }
    : { provider: plain.slice(0, slash), modelId: plain.slice(slash + 1) };
}
