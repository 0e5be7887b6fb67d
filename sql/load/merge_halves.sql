-- A carrier that was split in an earlier run is one row again before it is looked at anew.
update base.usage
set
  input_tokens = coalesce(usage.input_tokens + half.input_tokens, usage.input_tokens, half.input_tokens),
  output_tokens = coalesce(usage.output_tokens + half.output_tokens, usage.output_tokens, half.output_tokens),
  cache_read_tokens = coalesce(
    usage.cache_read_tokens + half.cache_read_tokens,
    usage.cache_read_tokens,
    half.cache_read_tokens
  ),
  cache_write_tokens = coalesce(
    usage.cache_write_tokens + half.cache_write_tokens,
    usage.cache_write_tokens,
    half.cache_write_tokens
  ),
  cost_usd = coalesce(usage.cost_usd + half.cost_usd, usage.cost_usd, half.cost_usd),
  cache_write_1h_tokens = half.cache_write_1h_tokens,
  reasoning_tokens = half.reasoning_tokens,
  total_tokens = half.total_tokens,
  turn_count = half.turn_count,
  input_cost_usd = half.input_cost_usd,
  output_cost_usd = half.output_cost_usd,
  cache_read_cost_usd = half.cache_read_cost_usd,
  cache_write_cost_usd = half.cache_write_cost_usd
from
  base.usage as half
where
  half.usage_seq % 2 = 1
  and half.session_key = usage.session_key
  and half.entry_seq = usage.entry_seq
  and half.usage_seq = usage.usage_seq + 1
