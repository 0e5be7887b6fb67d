create or replace temp table {name} as
select
  usage.occurred_on,
  sum(usage.cost_usd) as cost_usd
from
  base.usage
where
  usage.is_counted
group by
  usage.occurred_on
