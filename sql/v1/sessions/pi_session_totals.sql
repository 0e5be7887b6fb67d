-- What Pi's own /session command (0.86 and later) says of each session file:
-- copies count, sub-agents' details do not. Sums are doubles, added in file order
-- as Pi adds them.
--
-- grain: file_id
--
-- file_id: File.
-- session_key: Session that the file holds.
-- path: Path of the file.
-- input_tokens: Prompt tokens that no cache held.
-- output_tokens: Tokens written.
-- cache_read_tokens: Prompt tokens read from a cache.
-- cache_write_tokens: Prompt tokens written to a cache.
-- total_tokens: Sum of the four token counts.
-- cost_usd: Cost in US dollars.
-- user_message_count: User messages.
-- assistant_message_count: Replies and failed requests.
-- tool_call_count: Tool calls.
-- tool_result_count: Tool results.
-- message_count: Messages of any role.
-- is_comparable: False where Pi itself can't open the file or sum it.
-- machine: Machine whose disk holds the file.
-- is_present: False once the file is gone from disk.
select
  files.file_id,
  files.session_key,
  files.path,
  files.pi_input_tokens as input_tokens,
  files.pi_output_tokens as output_tokens,
  files.pi_cache_read_tokens as cache_read_tokens,
  files.pi_cache_write_tokens as cache_write_tokens,
  files.pi_input_tokens + files.pi_output_tokens + files.pi_cache_read_tokens + files.pi_cache_write_tokens as total_tokens,
  files.pi_cost_usd as cost_usd,
  files.pi_user_message_count::bigint as user_message_count,
  files.pi_assistant_message_count::bigint as assistant_message_count,
  files.pi_tool_call_count::bigint as tool_call_count,
  files.pi_tool_result_count::bigint as tool_result_count,
  files.pi_message_count::bigint as message_count,
  files.pi_is_comparable as is_comparable,
  files.machine,
  files.is_present
from
  core.files
where
  files.kind in ('session', 'child_session')
