select
  sessions.session_key,
  sessions.machine,
  sessions.path,
  sessions.is_present,
  placements.parent_key,
  placements.rest_path,
  epoch_ms(sessions.header_at) as header_at_ms
from
  base.sessions
  left join placements on placements.session_key = sessions.session_key
