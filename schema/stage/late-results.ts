import { flag, longText, name, nullable, small, table, text, whole } from "../table.js";

export const lateResults = table({
  name: "late_results",
  description: "Results of tool calls whose row had left the reader before they came.",
  key: ["file_id", "entry_seq", "call_index"],
  timeColumn: null,
  columns: {
    file_id: name("File."),
    entry_seq: small("Entry of the call."),
    call_index: small("Call."),
    result_entry_seq: small("Entry of the result."),
    is_error: flag("Whether the tool failed."),
    error_text: nullable(text("Start of a failed result.")),
    result_text: nullable(longText("Text of the result.")),
    result_chars: whole("Length of the text."),
    result_image_count: small("Images."),
    status: name("ok or error."),
    duration_ms: nullable(whole("Time the call took.")),
  },
});
