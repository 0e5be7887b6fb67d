-- How many of its entries the lake leaves each session, copies of others not
-- among them.
--
-- grain: lake_machine, session_key
select
  entries.lake_machine as lake_machine,
  entries.session_key as session_key,
  count(*) filter(
    where
      not entries.is_copy
      and lost_entries.entry_seq is null
  ) as owned_count
from
  lake.entries
  left join lake.lost_entries on lost_entries.lake_machine = entries.lake_machine
  and lost_entries.session_key = entries.session_key
  and lost_entries.entry_seq = entries.entry_seq
group by
  entries.lake_machine,
  entries.session_key
