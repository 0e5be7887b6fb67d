create or replace temp table estimate_rows as
with
  used as (
    select
      usage.rowid as row_id,
      coalesce(usage.provider, '') as provider,
      usage.model_id,
      coalesce(usage.response_model, '') as response_model,
      epoch_ms(usage.occurred_at) as occurred_ms,
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
  chosen as (
    select
      used.row_id,
      max(prices.price_rank) as price_rank
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
        or (used.occurred_ms - prices.day_start_ms) % 86400000 < prices.day_length_ms
      )
      and (
        prices.above_tokens is null
        or used.input_tokens + used.cache_read_tokens + used.cache_write_tokens > prices.above_tokens
      )
    group by
      used.row_id
  ),
  priced as (
    select
      used.row_id,
      prices.price_source,
      prices.price_version,
      used.input_tokens + used.output_tokens + used.cache_read_tokens + used.cache_write_tokens as tokens,
      (
        used.input_tokens * prices.input_rate + (used.output_tokens - used.reasoning_tokens) * prices.output_rate + used.reasoning_tokens * prices.reasoning_rate + used.cache_read_tokens * prices.cache_read_rate + (used.cache_write_tokens - used.cache_write_1h_tokens) * prices.cache_write_rate + used.cache_write_1h_tokens * prices.cache_write_1h_rate
      ) / 1000000 + used.request_count * prices.request_rate as amount_usd
    from
      used
      inner join chosen on chosen.row_id = used.row_id
      inner join temp.estimate_prices as prices on prices.price_rank = chosen.price_rank
  )
select
  priced.row_id,
  priced.price_source,
  priced.price_version,
  case
    when starts_with(priced.price_source, 'free') then 0
    when priced.tokens > 0
    and priced.amount_usd < 1000000 then priced.amount_usd
  end::decimal(18, 9) as estimated_cost_usd
from
  priced
where
  estimated_cost_usd is not null
  or priced.price_source = 'local_address'
