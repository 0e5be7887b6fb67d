-- What each session cost beside what its whole family cost: all that were forked,
-- cloned or started from the same first session. Each fact counts once.
--
-- grain: session_key
--
-- session_key: Session.
-- root_session_key: First session of the family; itself without a parent.
-- generation: Steps from the first session of the family.
-- own_cost_usd: Cost of what the session owns, the sub-agents that only it reports among it.
-- family_cost_usd: Cost of all sessions of the family; every one of them shows the same.
-- parent_session_key: Session it was forked, cloned or started from, where that is loaded.
-- parent_link: How it hangs on its parent: fork, clone, child, child_fork or new.
-- family_session_count: Sessions of the family.
-- is_copy_only: True where every record is a copy.
with
  costs as (
    select
      usage.session_key,
      sum(usage.cost_usd)::decimal(18, 9) as own_cost_usd
    from
      core.usage
    where
      usage.is_counted
    group by
      usage.session_key
  ),
  members as (
    select
      sessions.session_key as session_key,
      sessions.root_session_key as root_session_key,
      sessions.generation,
      sessions.parent_session_key,
      sessions.parent_link,
      sessions.is_copy_only,
      coalesce(costs.own_cost_usd, 0)::decimal(18, 9) as own_cost_usd
    from
      core.sessions
      left join costs on costs.session_key = sessions.session_key
  ),
  families as (
    select
      members.root_session_key,
      sum(members.own_cost_usd)::decimal(18, 9) as family_cost_usd,
      count(*) as family_session_count
    from
      members
    group by
      members.root_session_key
  )
select
  members.session_key as session_key,
  members.root_session_key as root_session_key,
  members.generation,
  members.own_cost_usd as own_cost_usd,
  families.family_cost_usd,
  members.parent_session_key,
  members.parent_link,
  families.family_session_count,
  members.is_copy_only
from
  members
  inner join families on families.root_session_key = members.root_session_key
