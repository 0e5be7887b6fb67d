-- The part of a carrier that does not count, beside the part that does.
insert into
  base.usage
select
  usage.* replace(
    usage.usage_seq + 1 as usage_seq,
    0 as request_count,
    usage.input_tokens - shares.input_tokens as input_tokens,
    usage.output_tokens - shares.output_tokens as output_tokens,
    usage.cache_read_tokens - shares.cache_read_tokens as cache_read_tokens,
    usage.cache_write_tokens - shares.cache_write_tokens as cache_write_tokens,
    usage.cost_usd - shares.cost_usd as cost_usd,
    false as is_counted,
    shares.not_counted_reason as not_counted_reason
  )
from
  base.usage
  inner join shares on shares.session_key = usage.session_key
  and shares.entry_seq = usage.entry_seq
  and shares.usage_seq = usage.usage_seq
where
  not shares.counts_nothing
  and not shares.counts_whole
