-- The last entry of each session's file is on its active branch, and the entry
-- that the session names as its leaf.
--
-- severity: full
select
  sessions.session_key,
  sessions.leaf_entry_seq
from
  base.sessions
  left join base.entries on entries.session_key = sessions.session_key
  and entries.entry_seq = sessions.leaf_entry_seq
where
  sessions.record_count > 0
  and not coalesce(
    entries.is_on_active_branch
    and entries.entry_id = sessions.leaf_entry_id,
    false
  )
