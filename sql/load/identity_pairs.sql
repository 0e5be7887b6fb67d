-- Identities that stand for one record: the second identity of two sessions that belong together, and
-- labels that a fork made anew. Of two children of one parent the first records may be of the very
-- millisecond of their headers: those are their own.
create or replace temp table identity_pairs as
with
  candidates as (
    select
      one.own_record_key as one_key,
      other.own_record_key as other_key,
      one.session_key as one_session,
      other.session_key as other_session,
      one.has_entry_id
      and other.has_entry_id as both_have_ids
    from
      identity_records as one
      inner join identity_records as other on other.group_key = one.group_key
      and other.entry_at = one.entry_at
      and other.message_at is not distinct from one.message_at
      and other.kind = one.kind
      and other.call = one.call
      and other.ordinal = one.ordinal
      and other.own_record_key > one.own_record_key
      and other.session_key <> one.session_key
    where
      (
        one.is_parent
        or other.is_parent
        or (
          one.is_older
          and other.is_older
        )
      )
      and (
        (
          one.may_be_shared
          and other.may_be_shared
        )
        or one.content_hash = other.content_hash
      )
      and one.label_hash is null
      and other.label_hash is null
  ),
  sharing as (
    select distinct
      mine.session_key as one_session,
      theirs.session_key as other_session
    from
      (
        select distinct
          candidates.one_session,
          candidates.other_session
        from
          candidates
      ) as pairs
      inner join base.entries as mine on mine.session_key = pairs.one_session
      inner join base.entries as theirs on theirs.session_key = pairs.other_session
      and theirs.own_record_key = mine.own_record_key
  )
select
  candidates.one_key,
  candidates.other_key
from
  candidates
where
  not candidates.both_have_ids
  or not exists (
    select
      1
    from
      sharing
    where
      sharing.one_session = candidates.one_session
      and sharing.other_session = candidates.other_session
  )
union
select
  one.own_record_key,
  other.own_record_key
from
  identity_records as one
  inner join identity_records as other on other.group_key = one.group_key
  and other.entry_at = one.entry_at
  and other.label_hash = one.label_hash
  and other.label_ordinal = one.label_ordinal
  and other.own_record_key > one.own_record_key
  and other.session_key <> one.session_key
