update base.{table}
set
  record_key = rekeyed_entries.record_key
from
  rekeyed_entries
where
  {table}.session_key = rekeyed_entries.session_key
  and {table}.entry_seq = rekeyed_entries.entry_seq
