-- The same for rows that know their file alone.
create or replace temp table file_days as
select
  files.file_id,
  coalesce(
    session_days.session_day,
    cast(timezone(getvariable ('time_zone'), to_timestamp(files.mtime_ms / 1000)) as date)
  ) as file_day
from
  base.files
  left join session_days on session_days.session_key = files.session_key
