select
  sessions.session_key,
  sessions.machine,
  sessions.path,
  sessions.is_present,
  placements.parent_key,
  placements.rest_path
from
  base.sessions
  left join placements on placements.session_key = sessions.session_key
