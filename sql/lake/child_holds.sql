-- What sessions of sub-agents hold, those of their own sub-agents as they report
-- them. Of a session that several machines hold, the fullest counts.
--
-- grain: session_key
with
  sums as (
    select
      usage.lake_machine as lake_machine,
      usage.session_key as session_key,
      sum(usage.input_tokens) as held_input,
      sum(usage.output_tokens) as held_output,
      sum(usage.cache_read_tokens) as held_cache_read,
      sum(usage.cache_write_tokens) as held_cache_write,
      sum(usage.cost_usd) as held_cost
    from
      lake.usage
    where
      not usage.is_copy
      and (
        usage.is_counted
        or usage.not_counted_reason = 'child_session'
      )
      and usage.session_key in (
        select
          claimed_children.child_session_key
        from
          lake.claimed_children
      )
    group by
      usage.lake_machine,
      usage.session_key
  )
select
  sums.session_key,
  coalesce(max(sums.held_input), 0)::bigint as input_tokens,
  coalesce(max(sums.held_output), 0)::bigint as output_tokens,
  coalesce(max(sums.held_cache_read), 0)::bigint as cache_read_tokens,
  coalesce(max(sums.held_cache_write), 0)::bigint as cache_write_tokens,
  coalesce(max(sums.held_cost), 0)::decimal(18, 9) as cost_usd
from
  sums
group by
  sums.session_key
