-- The own costs of all sessions, and the costs of all families, add up to the
-- counted rows of usage.
--
-- severity: full
with
  families as (
    select distinct
      session_families.root_session_key,
      session_families.family_cost_usd
    from
      v1.session_families
  ),
  sums as (
    select
      (
        select
          coalesce(sum(usage.cost_usd), 0)
        from
          base.usage
        where
          usage.is_counted
      ) as paid_cost_usd,
      (
        select
          coalesce(sum(session_families.own_cost_usd), 0)
        from
          v1.session_families
      ) as own_cost_usd,
      (
        select
          coalesce(sum(families.family_cost_usd), 0)
        from
          families
      ) as family_cost_usd
  )
select
  sums.paid_cost_usd,
  sums.own_cost_usd,
  sums.family_cost_usd
from
  sums
where
  sums.own_cost_usd <> sums.paid_cost_usd
  or sums.family_cost_usd <> sums.paid_cost_usd
