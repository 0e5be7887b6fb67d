update base.entries
set
  parent_entry_seq = null,
  root_entry_seq = null,
  depth = null,
  tree_in = null,
  tree_out = null,
  child_count = 0,
  is_leaf = false,
  is_orphan = false,
  is_jump = false,
  branch_leaf_seq = null,
  is_on_active_branch = false,
  is_abandoned = false,
  context_position = null,
  is_replaced = false,
  turn_entry_seq = null
from
  kept_entries
where
  entries.session_key = kept_entries.session_key
  and entries.entry_seq = kept_entries.entry_seq
  and entries.load_id <> getvariable ('load_id')
