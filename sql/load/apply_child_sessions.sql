update base.usage
set
  child_session_key = found.child_session_key
from
  (
    select
      held.session_key,
      held.entry_seq,
      held.usage_seq,
      child_sessions.child_session_key
    from
      base.usage as held
      left join child_sessions on child_sessions.session_key = held.session_key
      and child_sessions.entry_seq = held.entry_seq
      and child_sessions.usage_seq = held.usage_seq - held.usage_seq % 2
    where
      held.source in ('tool_result', 'subagent')
  ) as found
where
  usage.session_key = found.session_key
  and usage.entry_seq = found.entry_seq
  and usage.usage_seq = found.usage_seq
  and usage.child_session_key is distinct from found.child_session_key
