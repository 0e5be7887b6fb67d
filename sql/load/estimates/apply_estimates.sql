update base.usage as kept
set
  estimated_cost_usd = changed.estimated_cost_usd,
  price_source = changed.price_source,
  price_version = changed.price_version
from
  (
    select
      usage.rowid as row_id,
      estimate_rows.estimated_cost_usd,
      estimate_rows.price_source,
      estimate_rows.price_version
    from
      base.usage
      left join temp.estimate_rows on estimate_rows.row_id = usage.rowid
    where
      usage.estimated_cost_usd is distinct from estimate_rows.estimated_cost_usd
      or usage.price_source is distinct from estimate_rows.price_source
      or usage.price_version is distinct from estimate_rows.price_version
  ) as changed
where
  kept.rowid = changed.row_id
