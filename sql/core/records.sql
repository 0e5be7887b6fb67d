-- Every record of a session, also those that a later reading of the file lacks.
-- The latter hang in no tree: spend counts them, nothing else does.
--
-- grain: session_key, entry_seq
--
-- is_in_tree: False for records that a later reading of the file lacks.
select
  entries.session_key,
  entries.entry_seq,
  entries.entry_id,
  entries.file_id,
  entries.record_key,
  entries.is_copy,
  entries.is_present,
  entries.root_entry_seq is not null as is_in_tree,
  entries.parent_entry_id,
  entries.parent_entry_seq,
  entries.root_entry_seq,
  entries.turn_entry_seq,
  entries.entry_type,
  entries.role,
  entries.entry_at,
  entries.depth,
  entries.tree_in,
  entries.tree_out,
  entries.child_count,
  entries.branch_leaf_seq,
  entries.is_leaf,
  entries.is_orphan,
  entries.is_jump,
  entries.is_on_active_branch,
  entries.is_abandoned,
  entries.context_position,
  entries.is_replaced,
  entries.owner_session_key
from
  base.entries
