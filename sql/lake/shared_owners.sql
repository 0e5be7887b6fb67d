-- Owners of records that several machines hold, each the owner on its machine.
-- The lowest rank owns the record in the lake.
--
-- grain: lake_machine, session_key, entry_seq
--
-- place: 1 for the owner in the lake.
-- abandoned_count: Machines on which the record is abandoned.
with
  owners as (
    select
      entries.lake_machine as lake_machine,
      entries.session_key as session_key,
      entries.entry_seq as entry_seq,
      coalesce(shown_keys.record_key, entries.record_key) as shown_record_key,
      entries.owner_rank as owner_rank,
      entries.is_abandoned as is_abandoned
    from
      lake.entries
      left join lake.shown_keys on shown_keys.held_record_key = entries.record_key
    where
      not entries.is_copy
  ),
  shared as (
    select
      owners.shown_record_key,
      count(*) as machine_count,
      count(*) filter(
        where
          owners.is_abandoned
      ) as abandoned_count
    from
      owners
    group by
      owners.shown_record_key
    having
      count(*) > 1
  )
select
  shared.shown_record_key as record_key,
  owners.lake_machine,
  owners.session_key,
  owners.entry_seq,
  row_number() over (
    partition by
      shared.shown_record_key
    order by
      owners.owner_rank,
      owners.lake_machine,
      owners.session_key,
      owners.entry_seq
  ) as place,
  shared.machine_count,
  shared.abandoned_count
from
  owners
  inner join shared on shared.shown_record_key = owners.shown_record_key
