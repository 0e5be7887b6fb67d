-- The result of a kept call may stand at another position now, or be part of the new reading.
update base.tool_calls
set
  result_entry_seq = null
from
  kept_entries
where
  tool_calls.session_key = kept_entries.session_key
  and tool_calls.entry_seq = kept_entries.entry_seq
  and tool_calls.load_id <> getvariable ('load_id')
