delete from base.{table}
where
  {table}.load_id = getvariable ('load_id')
  and {table}.file_id in (
    select
      dropped_files.file_id
    from
      dropped_files
  )
