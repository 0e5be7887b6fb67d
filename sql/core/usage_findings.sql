-- What was odd about token counts and costs, a row each: costs and counts that
-- are no amounts, totals that are not the sum, replies that carry nothing, costs
-- that a later reading of the same record changed.
--
-- occurrence_count: How often that carrier shows it.
select
  'invalid_cost' as kind,
  usage.source as detail,
  1 as occurrence_count
from
  core.usage
where
  usage.cost_status = 'invalid'
  and not usage.is_copy
union all
select
  'invalid_token_count' as kind,
  usage.source as detail,
  1 as occurrence_count
from
  core.usage
where
  usage.invalid_token_count > 0
  and not usage.is_copy
union all
select
  'total_tokens_mismatch' as kind,
  usage.source as detail,
  1 as occurrence_count
from
  core.usage
where
  usage.total_tokens is not null
  and usage.input_tokens is not null
  and usage.output_tokens is not null
  and usage.cache_read_tokens is not null
  and usage.cache_write_tokens is not null
  and usage.total_tokens <> usage.summed_tokens
  and not usage.is_copy
union all
select
  'changed_cost' as kind,
  usage.source as detail,
  1 as occurrence_count
from
  core.usage
where
  usage.replaced_cost_usd is not null
  and not usage.is_copy
union all
select
  'missing_usage' as kind,
  messages.role as detail,
  1 as occurrence_count
from
  core.messages
  left join core.usage on usage.session_key = messages.session_key
  and usage.entry_seq = messages.entry_seq
  and usage.source = 'assistant'
where
  messages.role = 'assistant'
  and not messages.is_copy
  and coalesce(usage.cost_status, 'missing') = 'missing'
  and coalesce(usage.invalid_token_count, 0) = 0
  and usage.input_tokens is null
  and usage.output_tokens is null
