select distinct
  sessions.project_path
from
  base.sessions
where
  sessions.project_path is not null
