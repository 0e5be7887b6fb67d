-- Sessions whose parent their own machine does not hold and another one does: the
-- sub-agents of claimed_children, and forks by the file that their header names.
--
-- grain: session_key
with
  parents as (
    select
      claimed_children.child_session_key as session_key,
      claimed_children.session_key as parent_session_key,
      'child' as parent_link,
      claimed_children.subagent_name as subagent_name
    from
      lake.claimed_children
    union all
    select
      sessions.session_key as session_key,
      named_sessions.session_key as parent_session_key,
      sessions.parent_link as parent_link,
      null as subagent_name
    from
      lake.sessions
      inner join lake.named_sessions on named_sessions.file_name = regexp_replace(sessions.parent_session_path, '^.*/', '')
    where
      sessions.parent_session_key is null
      and named_sessions.session_key <> sessions.session_key
  ),
  ranked as (
    select
      parents.session_key as session_key,
      parents.parent_session_key as parent_session_key,
      parents.parent_link as parent_link,
      parents.subagent_name as subagent_name,
      sessions.root_session_key as root_session_key,
      sessions.generation as parent_generation,
      row_number() over (
        partition by
          parents.session_key
        order by
          case
            when parents.parent_link = 'child' then 0
            else 1
          end,
          sessions.generation desc,
          parents.parent_session_key
      ) as place
    from
      parents
      inner join lake.sessions on sessions.session_key = parents.parent_session_key
    where
      sessions.root_session_key <> parents.session_key
  )
select
  ranked.session_key,
  ranked.parent_session_key,
  ranked.parent_link,
  ranked.subagent_name,
  ranked.root_session_key,
  ranked.parent_generation
from
  ranked
where
  ranked.place = 1
