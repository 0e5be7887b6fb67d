-- One row per branch of a session: its end, where it leaves the others, and what
-- is its own. An entry that several branches share belongs to one of them: the
-- active one first, then the earliest.
--
-- grain: session_key, leaf_entry_seq
--
-- session_key: Session.
-- leaf_entry_seq: Position of the branch's last entry.
-- leaf_entry_id: Id of that entry.
-- is_active: True for the branch that ends with the last entry of the file.
-- root_entry_id: First entry of the path.
-- branch_point_entry_id: Last entry that the path shares with the branch it leaves; NULL where it owns its whole path.
-- entry_count: Entries on the path from the root to the end.
-- own_entry_count: Entries that belong to this branch.
-- own_cost_usd: Cost of those entries; a fact that another session owns costs nothing here.
-- started_at: Time of the earliest own entry.
-- ended_at: Time of the latest own entry.
select
  branches.session_key as session_key,
  branches.leaf_entry_seq as leaf_entry_seq,
  branches.leaf_entry_id as leaf_entry_id,
  branches.is_active,
  roots.entry_id as root_entry_id,
  branch_points.entry_id as branch_point_entry_id,
  branches.entry_count::bigint as entry_count,
  branches.own_entry_count as own_entry_count,
  branches.own_cost_usd as own_cost_usd,
  branches.started_at as started_at,
  branches.ended_at as ended_at
from
  core.branches
  left join core.entries as roots on roots.session_key = branches.session_key
  and roots.entry_seq = branches.root_entry_seq
  left join core.entries as branch_points on branch_points.session_key = branches.session_key
  and branch_points.entry_seq = branches.branch_point_entry_seq
