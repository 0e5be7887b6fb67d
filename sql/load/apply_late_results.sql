update base.tool_calls
set
  has_result = true,
  result_entry_seq = stage_late_results.result_entry_seq,
  is_error = stage_late_results.is_error,
  error_text = stage_late_results.error_text,
  result_text = stage_late_results.result_text,
  result_chars = stage_late_results.result_chars,
  result_image_count = stage_late_results.result_image_count,
  status = stage_late_results.status,
  duration_ms = stage_late_results.duration_ms
from
  stage_late_results
where
  tool_calls.load_id = getvariable ('load_id')
  and tool_calls.file_id = stage_late_results.file_id
  and tool_calls.entry_seq = stage_late_results.entry_seq
  and tool_calls.call_index = stage_late_results.call_index
  and tool_calls.parent_tool_call_id is null
