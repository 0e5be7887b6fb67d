-- The cost of a row is what its status says: 0, none, or an amount, which may round
-- to 0 or be the empty part of a tool result.
--
-- severity: cheap
select
  usage.session_key,
  usage.entry_seq,
  usage.usage_seq,
  usage.cost_status,
  usage.cost_usd
from
  base.usage
where
  not case usage.cost_status
    when 'recorded' then coalesce(usage.cost_usd, -1) >= 0
    when 'zero' then coalesce(usage.cost_usd, -1) = 0
    when 'missing' then usage.cost_usd is null
    when 'invalid' then usage.cost_usd is null
    else false
  end
