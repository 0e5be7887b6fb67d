-- Usage of sub-agents whose session their own machine does not hold and another
-- one does.
--
-- grain: lake_machine, session_key, entry_seq, usage_seq
with
  reports as (
    select
      usage.lake_machine as lake_machine,
      usage.session_key as session_key,
      usage.entry_seq as entry_seq,
      usage.usage_seq as usage_seq,
      coalesce(shown_keys.record_key, usage.record_key) as shown_record_key,
      usage.source as source,
      usage.is_counted as is_counted,
      usage.subagent_name as subagent_name,
      usage.child_session_key as child_session_key,
      regexp_replace(usage.child_session_path, '^.*/', '') as child_file_name
    from
      lake.usage
      left join lake.shown_keys on shown_keys.held_record_key = usage.record_key
    where
      usage.source in ('subagent', 'tool_result')
  ),
  known as (
    select
      reports.shown_record_key,
      reports.usage_seq,
      min(reports.child_session_key) as known_session_key
    from
      reports
    where
      reports.child_session_key is not null
    group by
      reports.shown_record_key,
      reports.usage_seq
  ),
  delegating as (
    select distinct
      reports.lake_machine,
      reports.session_key,
      reports.entry_seq
    from
      reports
    where
      reports.source = 'subagent'
  ),
  claims as (
    select
      reports.lake_machine as lake_machine,
      reports.session_key as session_key,
      reports.entry_seq as entry_seq,
      reports.usage_seq as usage_seq,
      reports.subagent_name as subagent_name,
      coalesce(known.known_session_key, named_sessions.session_key) as found_session_key
    from
      reports
      left join known on known.shown_record_key = reports.shown_record_key
      and known.usage_seq = reports.usage_seq
      left join lake.named_sessions on named_sessions.file_name = reports.child_file_name
      left join delegating on delegating.lake_machine = reports.lake_machine
      and delegating.session_key = reports.session_key
      and delegating.entry_seq = reports.entry_seq
    where
      reports.is_counted
      and reports.child_session_key is null
      and reports.usage_seq % 2 = 0
      and (
        reports.source = 'subagent'
        or delegating.session_key is null
      )
  )
select
  claims.lake_machine,
  claims.session_key,
  claims.entry_seq,
  claims.usage_seq,
  claims.subagent_name,
  claims.found_session_key as child_session_key
from
  claims
where
  claims.found_session_key is not null
  and claims.found_session_key <> claims.session_key
