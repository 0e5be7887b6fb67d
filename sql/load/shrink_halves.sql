update base.usage
set
  input_tokens = case
    when usage.input_tokens is not null then shares.input_tokens
  end,
  output_tokens = case
    when usage.output_tokens is not null then shares.output_tokens
  end,
  cache_read_tokens = case
    when usage.cache_read_tokens is not null then shares.cache_read_tokens
  end,
  cache_write_tokens = case
    when usage.cache_write_tokens is not null then shares.cache_write_tokens
  end,
  cost_usd = case
    when usage.cost_usd is not null then shares.cost_usd
  end,
  cache_write_1h_tokens = null,
  reasoning_tokens = null,
  total_tokens = null,
  turn_count = null,
  input_cost_usd = null,
  output_cost_usd = null,
  cache_read_cost_usd = null,
  cache_write_cost_usd = null
from
  shares
where
  shares.session_key = usage.session_key
  and shares.entry_seq = usage.entry_seq
  and shares.usage_seq = usage.usage_seq
  and not shares.counts_nothing
  and not shares.counts_whole
