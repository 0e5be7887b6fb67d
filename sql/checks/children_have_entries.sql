-- Messages, tool calls and usage belong to an entry, entries to a session.
--
-- severity: cheap
with
  children as (
    select
      'messages' as table_name,
      messages.session_key,
      messages.entry_seq
    from
      base.messages
    union all
    select
      'tool_calls' as table_name,
      tool_calls.session_key,
      tool_calls.entry_seq
    from
      base.tool_calls
    union all
    select
      'usage' as table_name,
      usage.session_key,
      usage.entry_seq
    from
      base.usage
  )
select
  children.table_name,
  children.session_key,
  children.entry_seq
from
  children
  left join base.entries on entries.session_key = children.session_key
  and entries.entry_seq = children.entry_seq
where
  entries.session_key is null
union all
select
  'entries' as table_name,
  entries.session_key,
  entries.entry_seq
from
  base.entries
  left join base.sessions on sessions.session_key = entries.session_key
where
  sessions.session_key is null
