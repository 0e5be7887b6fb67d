update base.{table}
set
  session_key = '#' || kept_entries.session_key,
  entry_seq = kept_entries.entry_seq,
  file_id = kept_entries.file_id,
  is_present = false
from
  kept_entries
where
  {table}.session_key = kept_entries.old_session_key
  and {table}.entry_seq = kept_entries.old_seq
  and {table}.load_id <> getvariable ('load_id')
