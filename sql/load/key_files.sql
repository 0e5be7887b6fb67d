-- Files of sessions that were renamed without being read.
update base.files
set
  session_key = sessions.session_key
from
  base.sessions
where
  files.file_id = sessions.file_id
  and sessions.is_present
  and files.session_key is distinct from sessions.session_key
