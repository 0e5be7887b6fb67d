select
  run_files.path,
  stage_rejects.line_number,
  stage_rejects.reason,
  stage_rejects.message
from
  stage_rejects
  inner join run_files on run_files.file_id = stage_rejects.file_id
order by
  run_files.path,
  stage_rejects.line_number
limit
  {limit}
