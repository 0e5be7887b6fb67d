delete from run_files
where
  run_files.file_id in (
    select
      unread_files.file_id
    from
      unread_files
  )
