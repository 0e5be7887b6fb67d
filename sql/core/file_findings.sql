-- What was odd about files and lines, a row each: lines that hold no record,
-- files that are no sessions or could not be read, second headers, last lines
-- still being written.
--
-- occurrence_count: How often that file shows it.
select
  'rejected_line' as kind,
  rejects.reason as detail,
  1 as occurrence_count
from
  base.rejects
union all
select
  'skipped_file' as kind,
  coalesce(files.skip_reason, files.kind) as detail,
  1 as occurrence_count
from
  core.files
where
  files.kind in ('empty', 'not_a_session')
union all
select
  'unreadable_file' as kind,
  coalesce(files.unreadable_reason, '(unknown)') as detail,
  1 as occurrence_count
from
  core.files
where
  files.kind = 'unreadable'
union all
select
  'second_header' as kind,
  files.kind as detail,
  files.header_count - 1 as occurrence_count
from
  core.files
where
  files.header_count > 1
union all
select
  'pending_tail' as kind,
  files.kind as detail,
  1 as occurrence_count
from
  core.files
where
  files.pending_tail_bytes > 0
  and files.is_present
