-- What each sub-agent's own file holds, whichever session owns the records: a copy of the file elsewhere
-- may. What the session that reports the sub-agent holds too is context, not the sub-agent's work. A tool
-- result counts as much as its carrier or its own sub-agents say, whichever is more.
create or replace temp table child_holds as
with
  reports as (
    select distinct
      usage.child_session_key,
      usage.session_key
    from
      base.usage
    where
      usage.child_session_key is not null
    union
    select
      run_children.child_session_key,
      run_children.session_key
    from
      run_children
  ),
  context as (
    select distinct
      reports.child_session_key,
      usage.record_key
    from
      reports
      inner join base.usage on usage.session_key = reports.session_key
  ),
  held as (
    select distinct
      usage.session_key as child_session_key,
      usage.record_key
    from
      base.usage
      semi join reports on reports.child_session_key = usage.session_key
      anti join context on context.child_session_key = usage.session_key
      and context.record_key = usage.record_key
  ),
  carriers as (
    select
      held.child_session_key,
      held.record_key,
      usage.source = 'subagent' as is_delegated,
      coalesce(usage.input_tokens, 0) as input_tokens,
      coalesce(usage.output_tokens, 0) as output_tokens,
      coalesce(usage.cache_read_tokens, 0) as cache_read_tokens,
      coalesce(usage.cache_write_tokens, 0) as cache_write_tokens,
      coalesce(usage.cost_usd, 0) as cost_usd
    from
      held
      inner join base.usage on usage.record_key = held.record_key
    where
      not usage.is_copy
  ),
  sides as (
    select
      carriers.child_session_key,
      carriers.record_key,
      carriers.is_delegated,
      sum(carriers.input_tokens) as input_tokens,
      sum(carriers.output_tokens) as output_tokens,
      sum(carriers.cache_read_tokens) as cache_read_tokens,
      sum(carriers.cache_write_tokens) as cache_write_tokens,
      sum(carriers.cost_usd) as cost_usd
    from
      carriers
    group by all
  ),
  fuller as (
    select
      sides.child_session_key,
      sides.record_key,
      max(sides.input_tokens) as input_tokens,
      max(sides.output_tokens) as output_tokens,
      max(sides.cache_read_tokens) as cache_read_tokens,
      max(sides.cache_write_tokens) as cache_write_tokens,
      max(sides.cost_usd) as cost_usd
    from
      sides
    group by all
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
  left join fuller on fuller.child_session_key = sessions.session_key
group by
  sessions.session_key
