-- A record is abandoned when no session that holds it has it on its active branch.
update base.entries
set
  is_abandoned = held.is_abandoned
from
  (
    select
      entries.record_key,
      not bool_or(entries.is_on_active_branch) as is_abandoned
    from
      base.entries
      semi join affected_keys on affected_keys.record_key = entries.record_key
    where
      entries.root_entry_seq is not null
    group by
      entries.record_key
  ) as held
where
  entries.record_key = held.record_key
  and entries.root_entry_seq is not null
  and entries.is_abandoned <> held.is_abandoned
