-- Tool calls that a session's tree holds, calls inside other calls among them,
-- with how they ended.
--
-- grain: session_key, entry_seq, call_index
--
-- is_ended: True where the file tells how the call ended.
-- is_failed: True where it ended in an error.
select
  tool_calls.session_key as session_key,
  tool_calls.entry_seq as entry_seq,
  tool_calls.call_index,
  tool_calls.entry_id as entry_id,
  tool_calls.is_copy as is_copy,
  coalesce(tool_calls.tool_name, '(unknown)') as tool_name,
  coalesce(sessions.project_path, '(unknown)') as project_path,
  tool_calls.parent_tool_call_id is not null as is_nested,
  tool_calls.has_result
  or tool_calls.status in ('ok', 'error') as is_ended,
  coalesce(tool_calls.is_error, false)
  or tool_calls.status = 'error' as is_failed,
  tool_calls.result_chars,
  tool_calls.duration_ms as duration_ms,
  tool_calls.started_at as started_at,
  tool_calls.occurred_on as occurred_on,
  entries.turn_entry_seq as turn_entry_seq
from
  base.tool_calls
  inner join core.entries on entries.session_key = tool_calls.session_key
  and entries.entry_seq = tool_calls.entry_seq
  inner join core.sessions on sessions.session_key = tool_calls.session_key
