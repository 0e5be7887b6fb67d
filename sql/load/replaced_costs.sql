-- The same record with another cost: the new reading wins, and the cost it replaced stays visible.
update base.usage
set
  replaced_cost_usd = case
    when held.cost_usd is distinct from usage.cost_usd then held.cost_usd
    else held.replaced_cost_usd
  end
from
  readings
  inner join base.usage as held on held.session_key = readings.replaces_key
  and held.load_id <> getvariable ('load_id')
where
  usage.load_id = getvariable ('load_id')
  and usage.file_id = readings.file_id
  and usage.record_key = held.record_key
  and usage.usage_seq = held.usage_seq
  and usage.source = held.source
  and held.source not in ('tool_result', 'subagent')
