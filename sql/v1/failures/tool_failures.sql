-- How often each tool fails in each project, and how long its calls take. Calls
-- inside other calls count like the rest; copies are left out. Percentiles are
-- by nearest rank: the smallest duration that at least that part of the calls
-- does not exceed.
--
-- grain: tool_name, project_path
--
-- tool_name: Tool.
-- project_path: Working directory in the session's header, or the project that the config file maps it to; (unknown) where it has none.
-- call_count: Calls.
-- failed_count: Calls that ended in an error.
-- failure_share: Failed calls as a part of those that ended, 0 to 1; NULL where none ended.
-- no_result_count: Calls of which the file does not tell how they ended.
-- p50_duration_ms: Duration that half of the calls do not exceed.
-- p95_duration_ms: Duration that 95 of 100 calls do not exceed.
-- session_count: Sessions that made the calls.
-- nested_call_count: Calls that another call made.
with
  calls as (
    select
      tool_calls.tool_name,
      tool_calls.project_path,
      tool_calls.session_key,
      tool_calls.is_nested,
      tool_calls.is_ended,
      tool_calls.is_failed,
      tool_calls.duration_ms
    from
      core.tool_calls
    where
      not tool_calls.is_copy
  ),
  ranked as (
    select
      calls.tool_name,
      calls.project_path,
      calls.duration_ms,
      row_number() over (
        partition by
          calls.tool_name,
          calls.project_path
        order by
          calls.duration_ms
      ) as place,
      count(*) over (
        partition by
          calls.tool_name,
          calls.project_path
      ) as timed_count
    from
      calls
    where
      calls.duration_ms is not null
  ),
  durations as (
    select
      ranked.tool_name,
      ranked.project_path,
      min(
        case
          when ranked.place * 2 >= ranked.timed_count then ranked.duration_ms
        end
      ) as p50_duration_ms,
      min(
        case
          when ranked.place * 100 >= ranked.timed_count * 95 then ranked.duration_ms
        end
      ) as p95_duration_ms
    from
      ranked
    group by
      ranked.tool_name,
      ranked.project_path
  ),
  counts as (
    select
      calls.tool_name,
      calls.project_path,
      count(*) as call_count,
      count(*) filter(
        where
          calls.is_failed
      ) as failed_count,
      count(*) filter(
        where
          calls.is_ended
      ) as ended_count,
      count(*) filter(
        where
          not calls.is_ended
      ) as no_result_count,
      count(*) filter(
        where
          calls.is_nested
      ) as nested_call_count,
      count(distinct calls.session_key) as session_count
    from
      calls
    group by
      calls.tool_name,
      calls.project_path
  )
select
  counts.tool_name as tool_name,
  counts.project_path as project_path,
  counts.call_count,
  counts.failed_count,
  counts.failed_count::double / nullif(counts.ended_count::double, 0) as failure_share,
  counts.no_result_count,
  durations.p50_duration_ms,
  durations.p95_duration_ms,
  counts.session_count,
  counts.nested_call_count
from
  counts
  left join durations on durations.tool_name = counts.tool_name
  and durations.project_path = counts.project_path
