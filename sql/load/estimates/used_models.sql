select distinct
  coalesce(provider, '') as provider,
  model_id,
  coalesce(response_model, '') as response_model
from
  base.usage
where
  cost_status <> 'recorded'
  and model_id is not null
order by all
