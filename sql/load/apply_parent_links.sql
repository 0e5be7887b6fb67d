update base.sessions
set
  parent_link = found.parent_link,
  subagent_name = found.subagent_name
from
  (
    select
      held.session_key,
      parent_links.parent_link,
      names.subagent_name
    from
      base.sessions as held
      left join parent_links on parent_links.session_key = held.session_key
      left join (
        select
          usage.child_session_key,
          min(usage.subagent_name) as subagent_name
        from
          base.usage
        where
          usage.child_session_key is not null
        group by
          usage.child_session_key
      ) as names on names.child_session_key = held.session_key
  ) as found
where
  sessions.session_key = found.session_key
  and (
    sessions.parent_link is distinct from found.parent_link
    or sessions.subagent_name is distinct from found.subagent_name
  )
