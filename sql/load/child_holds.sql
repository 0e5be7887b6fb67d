-- What each sub-agent's own file holds, copies of its parent left out: a tool result counts as much as
-- its carrier or its own sub-agents say, whichever is more.
create or replace temp table child_holds as
with
  carriers as (
    select
      usage.session_key,
      usage.entry_seq,
      usage.source = 'subagent' as is_delegated,
      coalesce(usage.input_tokens, 0) as input_tokens,
      coalesce(usage.output_tokens, 0) as output_tokens,
      coalesce(usage.cache_read_tokens, 0) as cache_read_tokens,
      coalesce(usage.cache_write_tokens, 0) as cache_write_tokens,
      coalesce(usage.cost_usd, 0) as cost_usd
    from
      base.usage
    where
      not usage.is_copy
      and usage.session_key in (
        select
          reporting.child_session_key
        from
          base.usage as reporting
        where
          reporting.child_session_key is not null
      )
  ),
  sides as (
    select
      carriers.session_key,
      carriers.entry_seq,
      carriers.is_delegated,
      sum(carriers.input_tokens) as input_tokens,
      sum(carriers.output_tokens) as output_tokens,
      sum(carriers.cache_read_tokens) as cache_read_tokens,
      sum(carriers.cache_write_tokens) as cache_write_tokens,
      sum(carriers.cost_usd) as cost_usd
    from
      carriers
    group by
      all
  ),
  fuller as (
    select
      sides.session_key,
      sides.entry_seq,
      max(sides.input_tokens) as input_tokens,
      max(sides.output_tokens) as output_tokens,
      max(sides.cache_read_tokens) as cache_read_tokens,
      max(sides.cache_write_tokens) as cache_write_tokens,
      max(sides.cost_usd) as cost_usd
    from
      sides
    group by
      all
  )
select
  sessions.session_key as child_session_key,
  coalesce(sum(fuller.input_tokens), 0)::bigint as input_tokens,
  coalesce(sum(fuller.output_tokens), 0)::bigint as output_tokens,
  coalesce(sum(fuller.cache_read_tokens), 0)::bigint as cache_read_tokens,
  coalesce(sum(fuller.cache_write_tokens), 0)::bigint as cache_write_tokens,
  coalesce(sum(fuller.cost_usd), 0)::decimal(18, 9) as cost_usd
from
  base.sessions
  left join fuller on fuller.session_key = sessions.session_key
group by
  sessions.session_key
