create or replace temp table estimate_rows as
with
  used as (
    select
      usage.rowid as row_id,
      coalesce(usage.provider, '') as provider,
      usage.model_id,
      coalesce(usage.response_model, '') as response_model,
      epoch_ms(usage.occurred_at) as occurred_ms,
      epoch_ms(usage.occurred_at) % 86400000 as day_ms,
      usage.request_count,
      usage.input_tokens,
      usage.output_tokens,
      coalesce(usage.cache_read_tokens, 0) as cache_read_tokens,
      coalesce(usage.cache_write_tokens, 0) as cache_write_tokens,
      least(coalesce(usage.cache_write_1h_tokens, 0), coalesce(usage.cache_write_tokens, 0)) as cache_write_1h_tokens,
      least(coalesce(usage.reasoning_tokens, 0), usage.output_tokens) as reasoning_tokens
    from
      base.usage
    where
      usage.cost_status <> 'recorded'
  ),
  ranked as (
    select
      used.row_id,
      prices.price_source,
      prices.price_version,
      used.input_tokens + used.output_tokens + used.cache_read_tokens + used.cache_write_tokens > 0 as has_tokens,
      (
        used.input_tokens * prices.input_rate + (used.output_tokens - used.reasoning_tokens) * prices.output_rate + used.reasoning_tokens * prices.reasoning_rate + used.cache_read_tokens * prices.cache_read_rate + (used.cache_write_tokens - used.cache_write_1h_tokens) * prices.cache_write_rate + used.cache_write_1h_tokens * prices.cache_write_1h_rate
      ) / 1000000 + used.request_count * prices.request_rate as amount_usd,
      row_number() over (
        partition by
          used.row_id
        order by
          prices.period_rank desc,
          prices.above_tokens desc
      ) as choice
    from
      used
      inner join temp.estimate_prices as prices on prices.provider = used.provider
      and prices.model_id = used.model_id
      and prices.response_model = used.response_model
    where
      (
        prices.valid_from_ms is null
        or used.occurred_ms >= prices.valid_from_ms
      )
      and (
        prices.day_start_ms is null
        or case
          when prices.day_start_ms <= prices.day_end_ms then used.day_ms >= prices.day_start_ms
          and used.day_ms < prices.day_end_ms
          else used.day_ms >= prices.day_start_ms
          or used.day_ms < prices.day_end_ms
        end
      )
      and (
        prices.above_tokens is null
        or used.input_tokens + used.cache_read_tokens + used.cache_write_tokens > prices.above_tokens
      )
  ),
  priced as (
    select
      ranked.row_id,
      case
        when starts_with(ranked.price_source, 'free') then 0
        when ranked.has_tokens
        and ranked.amount_usd < 1000000 then ranked.amount_usd
      end::decimal(18, 9) as estimated_cost_usd,
      ranked.price_source,
      ranked.price_version
    from
      ranked
    where
      ranked.choice = 1
  )
select
  priced.row_id,
  priced.estimated_cost_usd,
  priced.price_source,
  priced.price_version
from
  priced
where
  priced.estimated_cost_usd is not null
  or starts_with(priced.price_source, 'local_address')
