delete from {table}
where
  {table_name}.load_id = getvariable('load_id')
  and {table_name}.file_id in (
    select
      failed_files.file_id
    from
      failed_files
  )
