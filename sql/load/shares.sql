-- How much of each report and carrier counts. A carrier counts what goes beyond its children.
create or replace temp table shares as
with
  children as (
    select
      delegated.session_key,
      delegated.entry_seq,
      delegated.most_input_tokens as input_tokens,
      delegated.most_output_tokens as output_tokens,
      delegated.most_cache_read_tokens as cache_read_tokens,
      delegated.most_cache_write_tokens as cache_write_tokens,
      delegated.most_cost_usd as cost_usd
    from
      delegated
    union all
    select
      run_children.session_key,
      run_children.entry_seq,
      child_holds.input_tokens,
      child_holds.output_tokens,
      child_holds.cache_read_tokens,
      child_holds.cache_write_tokens,
      child_holds.cost_usd
    from
      run_children
      inner join child_holds on child_holds.child_session_key = run_children.child_session_key
  ),
  sums as (
    select
      children.session_key,
      children.entry_seq,
      sum(children.input_tokens) as input_tokens,
      sum(children.output_tokens) as output_tokens,
      sum(children.cache_read_tokens) as cache_read_tokens,
      sum(children.cache_write_tokens) as cache_write_tokens,
      sum(children.cost_usd) as cost_usd
    from
      children
    group by
      children.session_key,
      children.entry_seq
  ),
  carriers as (
    select
      usage.session_key,
      usage.entry_seq,
      usage.usage_seq,
      coalesce(usage.input_tokens, 0) as input_tokens,
      coalesce(usage.output_tokens, 0) as output_tokens,
      coalesce(usage.cache_read_tokens, 0) as cache_read_tokens,
      coalesce(usage.cache_write_tokens, 0) as cache_write_tokens,
      coalesce(usage.cost_usd, 0) as cost_usd,
      sums.input_tokens as child_input_tokens,
      sums.output_tokens as child_output_tokens,
      sums.cache_read_tokens as child_cache_read_tokens,
      sums.cache_write_tokens as child_cache_write_tokens,
      sums.cost_usd as child_cost_usd
    from
      base.usage
      inner join sums on sums.session_key = usage.session_key
      and sums.entry_seq = usage.entry_seq
    where
      usage.source = 'tool_result'
      and not usage.is_copy
  ),
  parts as (
    select
      delegated.session_key,
      delegated.entry_seq,
      delegated.usage_seq,
      case
        when delegated.is_repeated then 'aggregate'
        else 'child_session'
      end as not_counted_reason,
      case
        when delegated.is_repeated then 0
        else delegated.more_input_tokens
      end as input_tokens,
      case
        when delegated.is_repeated then 0
        else delegated.more_output_tokens
      end as output_tokens,
      case
        when delegated.is_repeated then 0
        else delegated.more_cache_read_tokens
      end as cache_read_tokens,
      case
        when delegated.is_repeated then 0
        else delegated.more_cache_write_tokens
      end as cache_write_tokens,
      case
        when delegated.is_repeated then 0
        else delegated.more_cost_usd
      end as cost_usd,
      delegated.input_tokens + delegated.output_tokens + delegated.cache_read_tokens + delegated.cache_write_tokens as all_tokens,
      delegated.cost_usd as whole_cost_usd
    from
      delegated
    where
      delegated.is_repeated
      or delegated.child_session_key is not null
    union all
    select
      carriers.session_key,
      carriers.entry_seq,
      carriers.usage_seq,
      'reported_in_children',
      greatest(carriers.input_tokens - carriers.child_input_tokens, 0),
      greatest(carriers.output_tokens - carriers.child_output_tokens, 0),
      greatest(carriers.cache_read_tokens - carriers.child_cache_read_tokens, 0),
      greatest(carriers.cache_write_tokens - carriers.child_cache_write_tokens, 0),
      greatest(carriers.cost_usd - carriers.child_cost_usd, 0),
      carriers.input_tokens + carriers.output_tokens + carriers.cache_read_tokens + carriers.cache_write_tokens,
      carriers.cost_usd
    from
      carriers
  )
select
  parts.session_key,
  parts.entry_seq,
  parts.usage_seq,
  parts.not_counted_reason,
  parts.input_tokens::bigint as input_tokens,
  parts.output_tokens::bigint as output_tokens,
  parts.cache_read_tokens::bigint as cache_read_tokens,
  parts.cache_write_tokens::bigint as cache_write_tokens,
  parts.cost_usd::decimal(18, 9) as cost_usd,
  parts.input_tokens + parts.output_tokens + parts.cache_read_tokens + parts.cache_write_tokens = 0
  and parts.cost_usd = 0 as counts_nothing,
  parts.input_tokens + parts.output_tokens + parts.cache_read_tokens + parts.cache_write_tokens = parts.all_tokens
  and parts.cost_usd = parts.whole_cost_usd
  and (
    parts.all_tokens > 0
    or parts.whole_cost_usd > 0
  ) as counts_whole
from
  parts
