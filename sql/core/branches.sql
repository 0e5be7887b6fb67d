-- One row per branch, by its end, with the entries that are its own: those whose
-- branch_leaf_seq names this end. The rest of its path is owned by other branches.
-- The active path runs on over a missing parent, to the entry before the orphan.
--
-- grain: session_key, leaf_entry_seq
with
  own_entries as (
    select
      entries.session_key,
      entries.branch_leaf_seq,
      entries.entry_seq,
      entries.parent_entry_seq,
      entries.entry_at,
      row_number() over (
        partition by
          entries.session_key,
          entries.branch_leaf_seq
        order by
          entries.depth,
          entries.entry_seq
      ) as place
    from
      core.entries
    where
      entries.branch_leaf_seq is not null
  ),
  own as (
    select
      own_entries.session_key,
      own_entries.branch_leaf_seq,
      count(*) as own_entry_count,
      max(
        case
          when own_entries.place = 1 then own_entries.parent_entry_seq
        end
      ) as branch_point_entry_seq,
      min(own_entries.entry_at) as started_at,
      max(own_entries.entry_at) as ended_at
    from
      own_entries
    group by
      own_entries.session_key,
      own_entries.branch_leaf_seq
  ),
  active_paths as (
    select
      entries.session_key,
      count(*) as entry_count,
      min(
        case
          when entries.depth = 0 then entries.entry_seq
        end
      ) as root_entry_seq
    from
      core.entries
    where
      entries.is_on_active_branch
    group by
      entries.session_key
  ),
  own_costs as (
    select
      usage.session_key as session_key,
      entries.branch_leaf_seq,
      sum(usage.cost_usd)::decimal(18, 9) as own_cost_usd
    from
      core.usage
      inner join core.entries on entries.session_key = usage.session_key
      and entries.entry_seq = usage.entry_seq
    where
      usage.is_counted
    group by
      usage.session_key,
      entries.branch_leaf_seq
  )
select
  leaves.session_key as session_key,
  leaves.leaf_entry_seq as leaf_entry_seq,
  leaves.leaf_entry_id as leaf_entry_id,
  leaves.is_active,
  coalesce(active_paths.root_entry_seq, leaves.root_entry_seq) as root_entry_seq,
  own.branch_point_entry_seq,
  coalesce(active_paths.entry_count, leaves.depth + 1) as entry_count,
  coalesce(own.own_entry_count, 0) as own_entry_count,
  coalesce(own_costs.own_cost_usd, 0)::decimal(18, 9) as own_cost_usd,
  own.started_at as started_at,
  own.ended_at as ended_at
from
  core.leaves
  left join own on own.session_key = leaves.session_key
  and own.branch_leaf_seq = leaves.leaf_entry_seq
  left join active_paths on active_paths.session_key = leaves.session_key
  and leaves.is_active
  left join own_costs on own_costs.session_key = leaves.session_key
  and own_costs.branch_leaf_seq = leaves.leaf_entry_seq
