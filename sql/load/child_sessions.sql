-- Of several editions of a sub-agent's session the first one stands for it, which owns its records too. A
-- copy of a result tells of the same run, though the run's file lies beside one of them alone.
create or replace temp table child_sessions as
with
  linked as (
    select
      child_session_texts.session_key,
      child_session_texts.entry_seq::integer as entry_seq,
      child_session_texts.usage_seq::integer as usage_seq,
      coalesce(first_edition.session_key, child_session_texts.child_session_key) as child_session_key
    from
      child_session_texts
      inner join base.sessions on sessions.session_key = child_session_texts.child_session_key
      left join base.sessions as first_edition on first_edition.session_key = sessions.base_session_key
  ),
  results as (
    select
      usage.session_key,
      usage.entry_seq,
      usage.usage_seq,
      usage.record_key,
      linked.child_session_key,
      min(linked.child_session_key) over (
        partition by
          usage.record_key,
          usage.usage_seq
      ) as copy_child_session_key
    from
      base.usage
      left join linked on linked.session_key = usage.session_key
      and linked.entry_seq = usage.entry_seq
      and linked.usage_seq = usage.usage_seq
    where
      usage.source in ('tool_result', 'subagent')
  )
select
  results.session_key,
  results.entry_seq,
  results.usage_seq,
  coalesce(results.child_session_key, results.copy_child_session_key) as child_session_key
from
  results
where
  coalesce(results.child_session_key, results.copy_child_session_key) <> results.session_key
