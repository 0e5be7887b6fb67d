update base.files
set
  is_present = false
where
  files.file_id in (
    select
      missing_files.file_id
    from
      missing_files
  )
