-- The day that rows without a time of their own follow: that of the latest entry of their session, else of
-- its header, else of the file.
create or replace temp table session_days as
select
  sessions.session_key,
  cast(
    timezone(
      getvariable ('time_zone'),
      coalesce(
        sessions.ended_at,
        sessions.started_at,
        sessions.header_at,
        to_timestamp(files.mtime_ms / 1000)
      )
    ) as date
  ) as session_day
from
  base.sessions
  left join base.files on files.file_id = sessions.file_id
