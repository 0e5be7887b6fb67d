-- What was paid, by day, machine, project, model and carrier. The views of spend
-- add these rows up.
--
-- grain: spent_on, machine, project_path, provider, model_id, source
with
  paid as (
    select
      usage.occurred_on as spent_on,
      usage.machine,
      usage.project_path,
      usage.provider,
      usage.model_id,
      usage.source,
      usage.request_count as requests,
      case
        when usage.is_failed then usage.request_count
        else 0
      end as failed_requests,
      usage.input_tokens as tokens_in,
      usage.output_tokens as tokens_out,
      usage.cache_read_tokens as tokens_read,
      usage.cache_write_tokens as tokens_written,
      usage.reasoning_tokens as tokens_reasoned,
      usage.summed_tokens as tokens_all,
      usage.unpriced_tokens as tokens_unpriced,
      usage.cost_usd as cost,
      usage.estimated_cost_usd as estimate
    from
      core.usage
    where
      usage.is_counted
  )
select
  paid.spent_on,
  paid.machine,
  paid.project_path,
  paid.provider,
  paid.model_id,
  paid.source,
  sum(paid.requests)::bigint as request_count,
  sum(paid.failed_requests)::bigint as failed_request_count,
  coalesce(sum(paid.tokens_in), 0)::bigint as input_tokens,
  coalesce(sum(paid.tokens_out), 0)::bigint as output_tokens,
  coalesce(sum(paid.tokens_read), 0)::bigint as cache_read_tokens,
  coalesce(sum(paid.tokens_written), 0)::bigint as cache_write_tokens,
  coalesce(sum(paid.tokens_reasoned), 0)::bigint as reasoning_tokens,
  sum(paid.tokens_all)::bigint as total_tokens,
  sum(paid.tokens_unpriced)::bigint as unpriced_tokens,
  coalesce(sum(paid.cost), 0)::decimal(18, 9) as cost_usd,
  coalesce(sum(paid.estimate), 0)::decimal(18, 9) as estimated_cost_usd
from
  paid
group by
  paid.spent_on,
  paid.machine,
  paid.project_path,
  paid.provider,
  paid.model_id,
  paid.source
