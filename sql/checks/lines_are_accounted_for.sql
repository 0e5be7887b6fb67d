-- Every whole line of a session file is a header, a record, a reject or blank.
--
-- severity: cheap
select
  files.file_id,
  files.line_count,
  files.header_count,
  files.record_count,
  files.reject_count,
  files.blank_line_count
from
  base.files
where
  files.kind in ('session', 'child_session')
  and files.line_count <> files.header_count + files.record_count + files.reject_count + files.blank_line_count
