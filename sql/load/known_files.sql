select
  files.file_id,
  files.machine,
  files.path,
  files.root_path,
  files.size_bytes,
  files.mtime_ms,
  files.ctime_ms,
  files.inode,
  files.device,
  files.content_sha1,
  files.is_present,
  files.transform_version,
  files.content
from
  base.files
where
  files.machine = getvariable ('machine')
