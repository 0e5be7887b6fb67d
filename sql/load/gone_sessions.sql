-- Sessions whose file is missing, or was read and holds another session now.
create or replace temp table gone_sessions as
select
  sessions.session_key
from
  base.sessions
where
  sessions.is_present
  and sessions.load_id <> getvariable ('load_id')
  and (
    sessions.file_id in (
      select
        run_files.file_id
      from
        run_files
      union
      select
        missing_files.file_id
      from
        missing_files
    )
  )
  and sessions.session_key not in (
    select
      readings.replaces_key
    from
      readings
    where
      readings.replaces_key is not null
  )
