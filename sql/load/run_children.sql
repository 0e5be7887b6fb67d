-- Sub-agents' sessions that a tool result's own usage pays for and none of its reports names: the one whose
-- file it names, and those below `<parent file>/<run id>/` that began before the result was written. A copy
-- of the result tells of the same sessions, though their files lie beside one of them alone.
create or replace temp table run_children as
with
  results as (
    select
      usage.session_key,
      usage.entry_seq,
      usage.record_key,
      usage.occurred_at,
      usage.source,
      usage.subagent_run_id,
      usage.child_session_key
    from
      base.usage
    where
      usage.source in ('tool_result', 'subagent')
  ),
  runs as (
    select distinct
      results.session_key,
      results.record_key,
      results.occurred_at,
      results.subagent_run_id
    from
      results
    where
      results.subagent_run_id is not null
  ),
  folders as (
    select
      placements.session_key,
      placements.parent_key,
      string_split(placements.rest_path, '/') as names
    from
      placements
  ),
  placed as (
    select
      runs.record_key,
      sessions.session_key,
      sessions.base_session_key
    from
      runs
      inner join folders on folders.parent_key = runs.session_key
      and folders.names[1] in (runs.subagent_run_id, 'run-' || runs.subagent_run_id)
      inner join base.sessions on sessions.session_key = folders.session_key
    where
      len(folders.names) between 2 and 3
      and coalesce(sessions.header_at <= runs.occurred_at, true)
    qualify
      row_number() over (
        partition by
          runs.record_key,
          sessions.machine,
          sessions.path
        order by
          sessions.is_present desc,
          sessions.session_key
      ) = 1
  ),
  named as (
    select
      results.record_key,
      results.child_session_key
    from
      results
    where
      results.source = 'tool_result'
      and results.child_session_key is not null
      and results.record_key not in (
        select
          reported.record_key
        from
          results as reported
        where
          reported.source = 'subagent'
      )
    union
    select
      placed.record_key,
      coalesce(first_edition.session_key, placed.session_key)
    from
      placed
      left join base.sessions as first_edition on first_edition.session_key = placed.base_session_key
  )
select distinct
  usage.session_key,
  usage.entry_seq,
  named.child_session_key
from
  named
  inner join base.usage on usage.record_key = named.record_key
where
  usage.source = 'tool_result'
  and not usage.is_copy
  and named.child_session_key <> usage.session_key
  and not exists (
    select
      1
    from
      results
    where
      results.source = 'subagent'
      and results.record_key = named.record_key
      and results.child_session_key = named.child_session_key
  )
