update base.sessions
set
  is_copy_only = held.is_copy_only
from
  (
    select
      sessions.session_key,
      coalesce(bool_and(entries.is_copy), false) as is_copy_only
    from
      base.sessions
      left join base.entries on entries.session_key = sessions.session_key
    group by
      sessions.session_key
  ) as held
where
  sessions.session_key = held.session_key
  and sessions.is_copy_only <> held.is_copy_only
