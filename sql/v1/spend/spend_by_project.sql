-- Spend and volume by project, over all days and machines, with each project's
-- share. Each fact counts once.
--
-- grain: project_path
--
-- project_path: Working directory in the session's header, or the project that the config file maps it to; (unknown) where it has none.
-- request_count: Requests to the provider, failed ones among them.
-- failed_request_count: Requests that ended in an error or were aborted.
-- input_tokens: Prompt tokens that no cache held.
-- output_tokens: Tokens written; reasoning is part of them.
-- cache_read_tokens: Prompt tokens read from a cache.
-- cache_write_tokens: Prompt tokens written to a cache.
-- cost_usd: Cost in US dollars, as Pi recorded it.
-- estimated_cost_usd: Estimate from a price table for rows without a recorded cost; never part of cost_usd.
-- unpriced_tokens: Tokens whose cost is not known: none recorded, or 0 by a model that is not known to be free.
-- cost_share: Part of all cost, 0 to 1; NULL where nothing cost anything.
-- token_share: Part of all tokens, 0 to 1; NULL where there are none.
-- first_spent_on: First day with usage.
-- last_spent_on: Last day with usage.
-- reasoning_tokens: Part of output_tokens that is reasoning.
-- total_tokens: Sum of the four token counts.
with
  by_project as (
    select
      daily_spend.project_path,
      sum(daily_spend.request_count)::bigint as request_count,
      sum(daily_spend.failed_request_count)::bigint as failed_request_count,
      sum(daily_spend.input_tokens)::bigint as input_tokens,
      sum(daily_spend.output_tokens)::bigint as output_tokens,
      sum(daily_spend.cache_read_tokens)::bigint as cache_read_tokens,
      sum(daily_spend.cache_write_tokens)::bigint as cache_write_tokens,
      sum(daily_spend.cost_usd)::decimal(18, 9) as cost_usd,
      sum(daily_spend.estimated_cost_usd)::decimal(18, 9) as estimated_cost_usd,
      sum(daily_spend.unpriced_tokens)::bigint as unpriced_tokens,
      sum(daily_spend.reasoning_tokens)::bigint as reasoning_tokens,
      sum(daily_spend.total_tokens)::bigint as total_tokens,
      min(daily_spend.spent_on) as first_spent_on,
      max(daily_spend.spent_on) as last_spent_on
    from
      core.daily_spend
    group by
      daily_spend.project_path
  ),
  totals as (
    select
      sum(by_project.cost_usd)::double as all_cost_usd,
      sum(by_project.total_tokens)::double as all_tokens
    from
      by_project
  )
select
  by_project.project_path,
  by_project.request_count,
  by_project.failed_request_count,
  by_project.input_tokens,
  by_project.output_tokens,
  by_project.cache_read_tokens,
  by_project.cache_write_tokens,
  by_project.cost_usd,
  by_project.estimated_cost_usd,
  by_project.unpriced_tokens,
  by_project.cost_usd::double / nullif(totals.all_cost_usd, 0) as cost_share,
  by_project.total_tokens::double / nullif(totals.all_tokens, 0) as token_share,
  by_project.first_spent_on,
  by_project.last_spent_on,
  by_project.reasoning_tokens,
  by_project.total_tokens
from
  by_project
  cross join totals
