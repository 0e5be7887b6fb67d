-- Models with tokens whose cost is not known: no cost recorded, an invalid one, or
-- 0 by a model that is not known to be free. Each fact counts once.
--
-- grain: provider, model_id
--
-- provider: Provider asked; (unknown) where the carrier names none.
-- model_id: Model asked for; (unknown) where the carrier names none.
-- unpriced_tokens: Tokens whose cost is not known: input, output, cache reads and cache writes.
-- carrier_count: Replies and other carriers of those tokens.
-- estimated_cost_usd: What a price table says they would cost; 0 where it does not say.
-- first_occurred_on: First day with such tokens.
-- last_occurred_on: Last day with such tokens.
select
  usage.provider,
  usage.model_id,
  sum(usage.unpriced_tokens)::bigint as unpriced_tokens,
  count(*) as carrier_count,
  coalesce(sum(usage.estimated_cost_usd), 0)::decimal(18, 9) as estimated_cost_usd,
  min(usage.occurred_on) as first_occurred_on,
  max(usage.occurred_on) as last_occurred_on
from
  core.usage
where
  usage.is_counted
  and usage.unpriced_tokens > 0
group by
  usage.provider,
  usage.model_id
