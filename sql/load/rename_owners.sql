update base.entries
set
  owner_session_key = renames.new_key
from
  renames
where
  entries.owner_session_key = renames.old_key
