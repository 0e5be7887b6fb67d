-- Sub-agents' results, each run once: the fullest report of a run stands for it, and only what the run's
-- own session doesn't hold counts.
create or replace temp table delegated as
with
  reports as (
    select
      usage.session_key,
      usage.entry_seq,
      usage.usage_seq,
      usage.occurred_at,
      usage.child_session_key,
      coalesce(
        'session:' || usage.child_session_key,
        'run:' || sessions.root_session_key || ':' || usage.subagent_run_id || ':' || usage.subagent_run_index,
        'row:' || usage.session_key || ':' || usage.entry_seq || ':' || usage.usage_seq
      ) as run_key,
      coalesce(usage.input_tokens, 0) as input_tokens,
      coalesce(usage.output_tokens, 0) as output_tokens,
      coalesce(usage.cache_read_tokens, 0) as cache_read_tokens,
      coalesce(usage.cache_write_tokens, 0) as cache_write_tokens,
      coalesce(usage.cost_usd, 0) as cost_usd,
      coalesce(child_holds.input_tokens, 0) as held_input_tokens,
      coalesce(child_holds.output_tokens, 0) as held_output_tokens,
      coalesce(child_holds.cache_read_tokens, 0) as held_cache_read_tokens,
      coalesce(child_holds.cache_write_tokens, 0) as held_cache_write_tokens,
      coalesce(child_holds.cost_usd, 0) as held_cost_usd
    from
      base.usage
      inner join base.sessions on sessions.session_key = usage.session_key
      left join child_holds on child_holds.child_session_key = usage.child_session_key
    where
      usage.source = 'subagent'
      and not usage.is_copy
  )
select
  reports.session_key,
  reports.entry_seq,
  reports.usage_seq,
  reports.child_session_key,
  row_number() over (
    partition by
      reports.run_key
    order by
      reports.cost_usd desc,
      reports.input_tokens + reports.output_tokens desc,
      reports.occurred_at nulls last,
      reports.session_key,
      reports.entry_seq,
      reports.usage_seq
  ) > 1 as is_repeated,
  reports.input_tokens,
  reports.output_tokens,
  reports.cache_read_tokens,
  reports.cache_write_tokens,
  reports.cost_usd,
  greatest(reports.input_tokens - reports.held_input_tokens, 0) as more_input_tokens,
  greatest(reports.output_tokens - reports.held_output_tokens, 0) as more_output_tokens,
  greatest(reports.cache_read_tokens - reports.held_cache_read_tokens, 0) as more_cache_read_tokens,
  greatest(reports.cache_write_tokens - reports.held_cache_write_tokens, 0) as more_cache_write_tokens,
  greatest(reports.cost_usd - reports.held_cost_usd, 0) as more_cost_usd,
  greatest(reports.input_tokens, reports.held_input_tokens) as most_input_tokens,
  greatest(reports.output_tokens, reports.held_output_tokens) as most_output_tokens,
  greatest(reports.cache_read_tokens, reports.held_cache_read_tokens) as most_cache_read_tokens,
  greatest(reports.cache_write_tokens, reports.held_cache_write_tokens) as most_cache_write_tokens,
  greatest(reports.cost_usd, reports.held_cost_usd) as most_cost_usd
from
  reports
