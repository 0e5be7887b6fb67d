select
  stage_sessions.file_id,
  stage_sessions.base_session_key,
  run_files.machine,
  run_files.path,
  stage_sessions.record_count
from
  stage_sessions
  inner join run_files on run_files.file_id = stage_sessions.file_id
