-- No two rows of a table share its key.
--
-- severity: full
select
  'files' as table_name,
  files.file_id as session_key,
  0 as entry_seq,
  0 as position
from
  base.files
group by all
having
  count(*) > 1
union all
select
  'sessions' as table_name,
  sessions.session_key,
  0 as entry_seq,
  0 as position
from
  base.sessions
group by all
having
  count(*) > 1
union all
select
  'entries' as table_name,
  entries.session_key,
  entries.entry_seq,
  0 as position
from
  base.entries
group by all
having
  count(*) > 1
union all
select
  'messages' as table_name,
  messages.session_key,
  messages.entry_seq,
  0 as position
from
  base.messages
group by all
having
  count(*) > 1
union all
select
  'tool_calls' as table_name,
  tool_calls.session_key,
  tool_calls.entry_seq,
  tool_calls.call_index as position
from
  base.tool_calls
group by all
having
  count(*) > 1
union all
select
  'usage' as table_name,
  usage.session_key,
  usage.entry_seq,
  usage.usage_seq as position
from
  base.usage
group by all
having
  count(*) > 1
union all
select
  'rejects' as table_name,
  rejects.file_id as session_key,
  rejects.line_number as entry_seq,
  0 as position
from
  base.rejects
group by all
having
  count(*) > 1
