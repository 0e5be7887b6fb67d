-- Every line of a session file is a header, a record, a reject, blank, or a last
-- line that is still being written.
--
-- severity: cheap
select
  files.file_id,
  files.line_count,
  files.header_count,
  files.record_count,
  files.reject_count,
  files.blank_line_count,
  files.pending_tail_bytes
from
  base.files
where
  files.kind in ('session', 'child_session')
  and files.line_count <> files.header_count + files.record_count + files.reject_count + files.blank_line_count + case
    when files.pending_tail_bytes > 0 then 1
    else 0
  end
