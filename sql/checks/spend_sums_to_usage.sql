-- Every view of spend adds up to the counted rows of usage.
--
-- severity: cheap
with
  sums as (
    select
      'usage' as view_name,
      sum(usage.cost_usd) as cost_usd,
      sum(coalesce(usage.input_tokens, 0)) as input_tokens,
      sum(coalesce(usage.output_tokens, 0)) as output_tokens,
      sum(usage.request_count) as request_count
    from
      base.usage
    where
      usage.is_counted
    union all
    select
      'spend_daily',
      sum(spend_daily.cost_usd),
      sum(spend_daily.input_tokens),
      sum(spend_daily.output_tokens),
      sum(spend_daily.request_count)
    from
      v1.spend_daily
    union all
    select
      'spend_by_model',
      sum(spend_by_model.cost_usd),
      sum(spend_by_model.input_tokens),
      sum(spend_by_model.output_tokens),
      sum(spend_by_model.request_count)
    from
      v1.spend_by_model
    union all
    select
      'spend_by_project',
      sum(spend_by_project.cost_usd),
      sum(spend_by_project.input_tokens),
      sum(spend_by_project.output_tokens),
      sum(spend_by_project.request_count)
    from
      v1.spend_by_project
    union all
    select
      'spend_by_session',
      sum(spend_by_session.cost_usd),
      sum(spend_by_session.input_tokens),
      sum(spend_by_session.output_tokens),
      sum(spend_by_session.request_count)
    from
      v1.spend_by_session
  ),
  subagents as (
    select
      sum(usage.cost_usd) as cost_usd,
      sum(usage.input_tokens) as input_tokens,
      sum(usage.output_tokens) as output_tokens,
      sum(usage.request_count) as request_count
    from
      base.usage
    where
      usage.is_counted
      and usage.source = 'subagent'
  ),
  whole as (
    select
      sums.view_name,
      coalesce(sums.cost_usd, 0) + case
        when sums.view_name = 'spend_by_session' then coalesce(subagents.cost_usd, 0)
        else 0
      end as cost_usd,
      coalesce(sums.input_tokens, 0) + case
        when sums.view_name = 'spend_by_session' then coalesce(subagents.input_tokens, 0)
        else 0
      end as input_tokens,
      coalesce(sums.output_tokens, 0) + case
        when sums.view_name = 'spend_by_session' then coalesce(subagents.output_tokens, 0)
        else 0
      end as output_tokens,
      coalesce(sums.request_count, 0) + case
        when sums.view_name = 'spend_by_session' then coalesce(subagents.request_count, 0)
        else 0
      end as request_count
    from
      sums
      cross join subagents
  )
select
  whole.view_name,
  whole.cost_usd,
  paid.cost_usd as paid_cost_usd,
  whole.input_tokens,
  paid.input_tokens as paid_input_tokens,
  whole.output_tokens,
  paid.output_tokens as paid_output_tokens,
  whole.request_count,
  paid.request_count as paid_request_count
from
  whole
  inner join whole as paid on paid.view_name = 'usage'
where
  whole.cost_usd <> paid.cost_usd
  or whole.input_tokens <> paid.input_tokens
  or whole.output_tokens <> paid.output_tokens
  or whole.request_count <> paid.request_count
