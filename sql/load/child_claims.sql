-- Usage of tool results that may stand for a sub-agent's own session file.
select
  usage.session_key,
  usage.entry_seq,
  usage.usage_seq,
  usage.subagent_run_id,
  usage.subagent_run_index,
  usage.child_session_path,
  epoch_ms(usage.occurred_at) as occurred_at_ms
from
  base.usage
where
  usage.source in ('tool_result', 'subagent')
  and usage.usage_seq % 2 = 0
  and (
    usage.child_session_path is not null
    or usage.source = 'subagent'
  )
  and (
    usage.child_session_path is not null
    or exists (
      select
        1
      from
        placements
      where
        placements.parent_key = usage.session_key
    )
  )
