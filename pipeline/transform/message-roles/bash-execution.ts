import type { RawRecord } from "../../flow.js";
import { FLAG } from "../entry-store.js";
import { asBoolean, asString, asWhole, type Leftover, leftoverOf, shape, withPart } from "../fields.js";
import { putText, startMessageRow } from "../message-rows.js";
import type { Entry } from "../record-identity.js";
import type { Session } from "../session.js";

const SHAPE = shape({
  role: "string",
  timestamp: "instant",
  command: "string",
  output: "string",
  exitCode: "whole",
  cancelled: "boolean",
  truncated: "boolean",
  fullOutputPath: "string",
  excludeFromContext: "boolean",
});

/** A command that the user ran with `!`, or with `!!`, which Pi does not send. */
export function readBashExecution(message: RawRecord, entry: Entry, session: Session): Leftover | null {
  const isExcluded = asBoolean(message["excludeFromContext"]) ?? false;
  if (isExcluded) session.entries.unmark(entry.seq, FLAG.SENT);

  const row = startMessageRow(session, entry, "bashExecution");
  putText(row, asString(message["output"]));
  row.columns.command.put(asString(message["command"]));
  row.columns.exit_code.put(asWhole(message["exitCode"]));
  row.columns.is_cancelled.put(asBoolean(message["cancelled"]) ?? false);
  row.columns.is_excluded_from_context.put(isExcluded);
  row.columns.full_output_path.put(asString(message["fullOutputPath"]));
  row.endRow();
  return withPart(leftoverOf(message, SHAPE), "truncated", message["truncated"] === true ? true : null);
}
