delete from base.{table} using readings
where
  {table}.session_key = readings.replaces_key
  and {table}.load_id <> getvariable ('load_id')
  and not exists (
    select
      1
    from
      kept_entries
    where
      kept_entries.old_session_key = {table}.session_key
      and kept_entries.old_seq = {table}.entry_seq
  )
