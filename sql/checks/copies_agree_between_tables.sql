-- Messages, tool calls and usage are copies where their entry is one.
--
-- severity: full
with
  children as (
    select
      'messages' as table_name,
      messages.session_key,
      messages.entry_seq,
      messages.is_copy,
      messages.record_key
    from
      base.messages
    union all
    select
      'tool_calls' as table_name,
      tool_calls.session_key,
      tool_calls.entry_seq,
      tool_calls.is_copy,
      tool_calls.record_key
    from
      base.tool_calls
    union all
    select
      'usage' as table_name,
      usage.session_key,
      usage.entry_seq,
      usage.is_copy,
      usage.record_key
    from
      base.usage
  )
select
  children.table_name,
  children.session_key,
  children.entry_seq
from
  children
  inner join base.entries on entries.session_key = children.session_key
  and entries.entry_seq = children.entry_seq
where
  entries.is_copy <> children.is_copy
  or entries.record_key <> children.record_key
