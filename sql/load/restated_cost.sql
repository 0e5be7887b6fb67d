-- How much of the spend of earlier days this run changed; the day of the run itself is still filling.
select
  coalesce(sum(abs(coalesce(after_load.cost_usd, 0) - coalesce(before_load.cost_usd, 0))), 0)::decimal(18, 9) as restated_cost_usd
from
  spend_after as after_load
  full join spend_before as before_load on before_load.occurred_on = after_load.occurred_on
where
  coalesce(after_load.occurred_on, before_load.occurred_on) < {today}
