-- From the first sessions down, each session once; sessions whose parents form a loop stay their own first.
create or replace temp table families as
with recursive
  tree (session_key, root_session_key, generation) as (
    select
      sessions.session_key,
      sessions.session_key,
      0
    from
      base.sessions
    where
      sessions.parent_session_key is null
    union all
    select
      sessions.session_key,
      tree.root_session_key,
      tree.generation + 1
    from
      tree
      inner join base.sessions on sessions.parent_session_key = tree.session_key
  )
select
  sessions.session_key,
  coalesce(tree.root_session_key, sessions.session_key) as root_session_key,
  coalesce(tree.generation, 0) as generation
from
  base.sessions
  left join tree on tree.session_key = sessions.session_key
