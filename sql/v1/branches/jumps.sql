-- Places where a session went on from elsewhere than its last entry: back to an
-- earlier one, to another branch, or to a new root. Copies are included; leave
-- them out to count each jump once.
--
-- grain: session_key, entry_seq
--
-- session_key: Session.
-- entry_seq: Position of the entry that the jump led to writing.
-- entry_id: Id of that entry.
-- from_entry_id: Entry before it in the file, which the jump left.
-- to_entry_id: Entry it hangs under; NULL for a new root.
-- left_behind_cost_usd: Cost on the path that was left, up to where it meets the new one; a fact that another session owns costs nothing here.
-- is_copy: True where another row is the owner of the same record.
-- jumped_at: When the entry was written.
-- left_behind_entry_count: Entries on the path that was left, up to where it meets the new one.
with
  placed as (
    select
      entries.session_key,
      entries.entry_seq,
      entries.entry_id,
      entries.is_copy,
      entries.is_jump,
      entries.entry_at,
      entries.parent_entry_seq,
      lag (entries.entry_id) over in_file_order as from_entry_id,
      lag (entries.tree_in) over in_file_order as from_tree_in,
      lag (entries.tree_out) over in_file_order as from_tree_out
    from
      core.entries
    window
      in_file_order as (
        partition by
          entries.session_key
        order by
          entries.entry_seq
      )
  ),
  paths as (
    select
      placed.session_key as session_key,
      placed.entry_seq as entry_seq,
      placed.entry_id as entry_id,
      placed.is_copy as is_copy,
      placed.entry_at as entry_at,
      placed.from_entry_id as from_entry_id,
      placed.from_tree_in as from_tree_in,
      placed.from_tree_out as from_tree_out,
      targets.entry_id as to_entry_id,
      coalesce(targets.tree_in, -1) as to_tree_in,
      coalesce(targets.tree_out, -1) as to_tree_out
    from
      placed
      left join core.entries as targets on targets.session_key = placed.session_key
      and targets.entry_seq = placed.parent_entry_seq
    where
      placed.is_jump
  ),
  left_behind as (
    select
      paths.session_key as session_key,
      paths.entry_seq as entry_seq,
      entries.entry_seq as left_entry_seq
    from
      paths
      inner join core.entries on entries.session_key = paths.session_key
    where
      entries.tree_in <= paths.from_tree_in
      and entries.tree_out >= paths.from_tree_out
      and not (
        entries.tree_in <= paths.to_tree_in
        and entries.tree_out >= paths.to_tree_out
      )
  ),
  entry_costs as (
    select
      usage.session_key,
      usage.entry_seq,
      sum(usage.cost_usd) as cost
    from
      core.usage
    where
      usage.is_counted
    group by
      usage.session_key,
      usage.entry_seq
  ),
  costs as (
    select
      left_behind.session_key as session_key,
      left_behind.entry_seq as entry_seq,
      count(*) as left_behind_entry_count,
      sum(entry_costs.cost) as left_behind_cost
    from
      left_behind
      left join entry_costs on entry_costs.session_key = left_behind.session_key
      and entry_costs.entry_seq = left_behind.left_entry_seq
    group by
      left_behind.session_key,
      left_behind.entry_seq
  )
select
  paths.session_key as session_key,
  paths.entry_seq as entry_seq,
  paths.entry_id as entry_id,
  paths.from_entry_id,
  paths.to_entry_id,
  coalesce(costs.left_behind_cost, 0)::decimal(18, 9) as left_behind_cost_usd,
  paths.is_copy as is_copy,
  paths.entry_at as jumped_at,
  coalesce(costs.left_behind_entry_count, 0) as left_behind_entry_count
from
  paths
  left join costs on costs.session_key = paths.session_key
  and costs.entry_seq = paths.entry_seq
