update base.{table}
set
  occurred_on = {day}
where
  occurred_on is distinct from {day}
