delete from {table}
where
  {table}.file_id in (
    select
      dropped_files.file_id
    from
      dropped_files
  )
