-- Owners of records that several machines hold, each the owner on its machine.
-- The lowest rank owns the record in the lake.
--
-- grain: session_key, file_id, entry_seq
--
-- place: 1 for the owner in the lake.
-- abandoned_count: Machines on which the record is abandoned.
with
  ranked as (
    select
      entries.record_key,
      entries.session_key,
      entries.file_id,
      entries.entry_seq,
      row_number() over (
        partition by
          entries.record_key
        order by
          entries.owner_rank,
          entries.file_id
      ) as place,
      count(*) over (
        partition by
          entries.record_key
      ) as machine_count,
      count(*) filter(
        where
          entries.is_abandoned
      ) over (
        partition by
          entries.record_key
      ) as abandoned_count
    from
      lake.entries
    where
      not entries.is_copy
  )
select
  ranked.record_key,
  ranked.session_key,
  ranked.file_id,
  ranked.entry_seq,
  ranked.place,
  ranked.machine_count,
  ranked.abandoned_count
from
  ranked
where
  ranked.machine_count > 1
