-- Sessions that did work for another one as its sub-agents, at any depth.
--
-- grain: session_key, child_session_key
with recursive
  steps as (
    select
      sessions.parent_session_key as session_key,
      sessions.session_key as child_session_key,
      1 as step_count
    from
      core.sessions
    where
      sessions.parent_link in ('child', 'child_fork')
      and sessions.parent_session_key is not null
    union all
    select
      steps.session_key as session_key,
      sessions.session_key as child_session_key,
      steps.step_count + 1 as step_count
    from
      steps
      inner join core.sessions on sessions.parent_session_key = steps.child_session_key
    where
      sessions.parent_link in ('child', 'child_fork')
      and steps.step_count < 32
  )
select distinct
  steps.session_key,
  steps.child_session_key
from
  steps
where
  steps.session_key <> steps.child_session_key
