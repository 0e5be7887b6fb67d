-- The nested set of each session says the same as the parents: a parent encloses
-- its children, one step above them, under the same root.
--
-- severity: full
select
  entries.session_key,
  entries.entry_seq
from
  base.entries
  left join base.entries as parents on parents.session_key = entries.session_key
  and parents.entry_seq = entries.parent_entry_seq
where
  entries.root_entry_seq is not null
  and (
    entries.tree_in > entries.tree_out
    or (
      entries.parent_entry_seq is null
      and (
        entries.depth <> 0
        or entries.root_entry_seq <> entries.entry_seq
      )
    )
    or (
      entries.parent_entry_seq is not null
      and not coalesce(
        parents.tree_in < entries.tree_in
        and entries.tree_out <= parents.tree_out
        and parents.depth + 1 = entries.depth
        and parents.root_entry_seq = entries.root_entry_seq,
        false
      )
    )
  )
