update base.entries
set
  owner_rank = {rank}
from
  kept_entries
  inner join base.sessions on sessions.session_key = kept_entries.session_key
where
  entries.session_key = kept_entries.session_key
  and entries.entry_seq = kept_entries.entry_seq
  and entries.load_id <> getvariable ('load_id')
