create or replace temp table changed_owners as
with
  affected as (
    select
      entries.record_key,
      entries.session_key,
      entries.entry_seq,
      entries.owner_rank,
      entries.is_copy,
      entries.owner_session_key
    from
      base.entries
      semi join affected_keys on affected_keys.record_key = entries.record_key
  ),
  shared as (
    select
      affected.record_key
    from
      affected
    group by
      affected.record_key
    having
      count(*) > 1
  ),
  ranked as (
    select
      affected.session_key,
      affected.entry_seq,
      affected.is_copy,
      affected.owner_session_key,
      row_number() over owners > 1 as is_copy_now,
      first_value (affected.session_key) over owners as owner_session_key_now
    from
      affected
      semi join shared on shared.record_key = affected.record_key
    window
      owners as (
        partition by
          affected.record_key
        order by
          affected.owner_rank,
          affected.session_key,
          affected.entry_seq rows between unbounded preceding
          and current row
      )
    union all
    select
      affected.session_key,
      affected.entry_seq,
      affected.is_copy,
      affected.owner_session_key,
      false,
      affected.session_key
    from
      affected
      anti join shared on shared.record_key = affected.record_key
  )
select
  ranked.session_key,
  ranked.entry_seq,
  ranked.is_copy_now as is_copy,
  ranked.owner_session_key_now as owner_session_key
from
  ranked
where
  ranked.is_copy <> ranked.is_copy_now
  or ranked.owner_session_key <> ranked.owner_session_key_now
