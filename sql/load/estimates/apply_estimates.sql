update base.usage as kept
set
  estimated_cost_usd = estimates.estimated_cost_usd,
  price_source = estimates.price_source,
  price_version = estimates.price_version
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
  ) as estimates
where
  kept.rowid = estimates.row_id
  and (
    kept.estimated_cost_usd is distinct from estimates.estimated_cost_usd
    or kept.price_source is distinct from estimates.price_source
    or kept.price_version is distinct from estimates.price_version
  )
