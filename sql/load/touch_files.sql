-- Files that were touched or copied back, but hold the same bytes.
update base.files
set
  size_bytes = touched_files.size_bytes,
  mtime_ms = touched_files.mtime_ms,
  ctime_ms = touched_files.ctime_ms,
  inode = touched_files.inode,
  device = touched_files.device
from
  touched_files
where
  files.file_id = touched_files.file_id
