-- Sessions that this run may give another key, replace or find gone.
select
  sessions.session_key,
  sessions.base_session_key,
  sessions.file_id,
  sessions.machine,
  sessions.path,
  sessions.record_count,
  sessions.is_present
  and not exists (
    select
      1
    from
      run_files
    where
      run_files.file_id = sessions.file_id
  )
  and not exists (
    select
      1
    from
      missing_files
    where
      missing_files.file_id = sessions.file_id
  ) as is_present
from
  base.sessions
where
  sessions.base_session_key in (
    select
      stage_sessions.base_session_key
    from
      stage_sessions
    union
    select
      held.base_session_key
    from
      base.sessions as held
    where
      held.is_present
      and (
        held.file_id in (
          select
            run_files.file_id
          from
            run_files
        )
        or held.file_id in (
          select
            missing_files.file_id
          from
            missing_files
        )
      )
  )
