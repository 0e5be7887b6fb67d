delete from {table}
where
  {table}.file_id in (
    select
      failed_files.file_id
    from
      failed_files
  )
