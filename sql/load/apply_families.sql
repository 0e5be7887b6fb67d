update base.sessions
set
  root_session_key = families.root_session_key,
  generation = families.generation
from
  families
where
  sessions.session_key = families.session_key
  and (
    sessions.root_session_key <> families.root_session_key
    or sessions.generation <> families.generation
  )
