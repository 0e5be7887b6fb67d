update base.entries
set
  is_copy = changed_owners.is_copy,
  owner_session_key = changed_owners.owner_session_key
from
  changed_owners
where
  entries.session_key = changed_owners.session_key
  and entries.entry_seq = changed_owners.entry_seq
