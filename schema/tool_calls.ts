import { placeColumns, recordColumns } from "./common.js";
import { day, derived, flag, instant, longText, name, nullable, small, table, text, whole } from "./table.js";

export const toolCalls = table({
  name: "tool_calls",
  description:
    "One row per tool call of a reply with its result, and one per nested call that an orchestrating tool reports (on the entry of that tool's result).",
  key: ["session_key", "entry_seq", "call_index"],
  timeColumn: "started_at",
  columns: {
    ...placeColumns,
    call_index: small("Position among the calls of the entry, from 0."),
    entry_id: name("Entry that makes the call; for a nested call, the entry of the outer result."),
    ...recordColumns,
    tool_call_id: nullable(name("Id of the call; some servers repeat ids.")),
    parent_tool_call_id: nullable(name("Outer call, for nested calls.")),
    tool_name: nullable(name("Tool.")),
    namespace: nullable(name("Namespace of the tool, where the call has one.")),
    arguments_json: nullable(longText("Arguments as JSON.")),
    arguments_bytes: whole("Size of the arguments as JSON, in bytes; as reported where they are left out."),
    target_path: nullable(text("File or folder that the arguments name.")),
    has_result: flag("True where the file holds the result."),
    result_entry_seq: nullable(small("Position of the entry that holds the result.")),
    is_error: nullable(flag("Whether the tool failed; NULL without a result.")),
    error_text: nullable(text("First 2,000 characters of a failed result, or the error of a nested call.")),
    result_text: nullable(longText("Text of the result.")),
    result_chars: whole("Length of the result's text in UTF-16 units."),
    result_image_count: small("Images in the result."),
    status: name("ok, error, unfinished or no_result."),
    started_at: nullable(instant("When the call was made: the end of the reply that holds it.")),
    occurred_on: derived(nullable(day("Day of started_at in the warehouse's time zone."))),
    duration_ms: nullable(whole("Time the call took: as written, else from the reply's end to the result.")),
  },
});
