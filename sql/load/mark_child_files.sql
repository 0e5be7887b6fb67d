update base.files
set
  kind = case
    when placements.session_key is null then 'session'
    else 'child_session'
  end
from
  base.sessions
  left join placements on placements.session_key = sessions.session_key
where
  files.session_key = sessions.session_key
  and files.kind in ('session', 'child_session')
  and files.kind <> case
    when placements.session_key is null then 'session'
    else 'child_session'
  end
