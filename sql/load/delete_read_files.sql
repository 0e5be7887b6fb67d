delete from base.{table}
where
  {table}.file_id in (
    select
      run_files.file_id
    from
      run_files
  )
