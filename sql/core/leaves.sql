-- Ends of a session's branches: entries without children, and the last entry of
-- the file even where it has some.
--
-- grain: session_key, leaf_entry_seq
select
  entries.session_key as session_key,
  entries.entry_seq as leaf_entry_seq,
  entries.entry_id as leaf_entry_id,
  entries.root_entry_seq as root_entry_seq,
  entries.depth,
  coalesce(entries.entry_seq = sessions.leaf_entry_seq, false) as is_active
from
  core.entries
  inner join core.sessions on sessions.session_key = entries.session_key
where
  entries.is_leaf
  or entries.entry_seq = sessions.leaf_entry_seq
