update base.sessions
set
  parent_session_key = found.parent_key
from
  (
    select
      held.session_key,
      parents.parent_key
    from
      base.sessions as held
      left join parents on parents.session_key = held.session_key
  ) as found
where
  sessions.session_key = found.session_key
  and sessions.parent_session_key is distinct from found.parent_key
