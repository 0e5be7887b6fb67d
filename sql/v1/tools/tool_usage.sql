-- How often each tool is called, in how many sessions, and what the turns cost
-- that called it. A turn that calls several tools counts for each of them, so the
-- costs do not add up over tools. Copies are left out.
--
-- grain: tool_name
--
-- tool_name: Tool.
-- call_count: Calls, those inside other calls among them.
-- session_count: Sessions that made the calls.
-- turn_cost_usd: Cost of the turns that made the calls: each prompt with all that followed up to the next.
-- turn_count: Those turns.
-- nested_call_count: Calls that another call made.
-- failed_count: Calls that ended in an error.
-- result_chars: Length of the results' text in UTF-16 units.
-- first_occurred_on: Day of the first call.
-- last_occurred_on: Day of the last call.
with
  calls as (
    select
      tool_calls.tool_name,
      tool_calls.session_key,
      tool_calls.turn_entry_seq,
      tool_calls.is_nested,
      tool_calls.is_failed,
      tool_calls.result_chars as chars,
      tool_calls.occurred_on
    from
      core.tool_calls
    where
      not tool_calls.is_copy
  ),
  turns as (
    select distinct
      calls.tool_name,
      calls.session_key,
      calls.turn_entry_seq
    from
      calls
    where
      calls.turn_entry_seq is not null
  ),
  costs as (
    select
      turns.tool_name as tool_name,
      count(*) as turn_count,
      sum(turn_costs.turn_cost_usd) as turn_cost
    from
      turns
      left join core.turn_costs on turn_costs.session_key = turns.session_key
      and turn_costs.turn_entry_seq = turns.turn_entry_seq
    group by
      turns.tool_name
  ),
  counts as (
    select
      calls.tool_name,
      count(*) as call_count,
      count(distinct calls.session_key) as session_count,
      count(*) filter(
        where
          calls.is_nested
      ) as nested_call_count,
      count(*) filter(
        where
          calls.is_failed
      ) as failed_count,
      sum(calls.chars)::bigint as result_chars,
      min(calls.occurred_on) as first_occurred_on,
      max(calls.occurred_on) as last_occurred_on
    from
      calls
    group by
      calls.tool_name
  )
select
  counts.tool_name as tool_name,
  counts.call_count,
  counts.session_count,
  coalesce(costs.turn_cost, 0)::decimal(18, 9) as turn_cost_usd,
  coalesce(costs.turn_count, 0) as turn_count,
  counts.nested_call_count,
  counts.failed_count,
  counts.result_chars,
  counts.first_occurred_on,
  counts.last_occurred_on
from
  counts
  left join costs on costs.tool_name = counts.tool_name
