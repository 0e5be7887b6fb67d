-- Version 0 of the reading rules makes the next run try again.
update base.files
set
  transform_version = 0,
  unreadable_reason = unread_files.reason
from
  unread_files
where
  files.file_id = unread_files.file_id
