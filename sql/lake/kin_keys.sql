-- Records that are one though machines know them by different ids: the second
-- identity by which a warehouse joins the records of its own files.
--
-- grain: own_record_key
with
  candidates as (
    select
      one.lake_machine as one_machine,
      one.session_key as one_session,
      one.own_record_key as one_key,
      other.lake_machine as other_machine,
      other.session_key as other_session,
      other.own_record_key as other_key,
      least(one.record_key, other.record_key) as record_key,
      one.has_entry_id
      and other.has_entry_id
      and one.label_hash is null as is_by_family,
      one.group_key like 'says:%' as is_by_words
    from
      lake.kin_entries as one
      inner join lake.kin_entries as other on other.group_key = one.group_key
      and other.entry_at = one.entry_at
      and other.message_at = one.message_at
      and other.kind = one.kind
      and other.detail = one.detail
      and other.ordinal = one.ordinal
    where
      other.lake_machine <> one.lake_machine
      and other.own_record_key > one.own_record_key
      and (
        one.label_hash is not null
        or one.is_parent
        or other.is_parent
        or (
          one.is_older
          and other.is_older
        )
      )
      and (
        one.label_hash is not null
        or (
          one.may_be_shared
          and other.may_be_shared
        )
        or coalesce(one.content_hash = other.content_hash, false)
      )
  ),
  doubtful as (
    select distinct
      candidates.one_machine,
      candidates.one_session,
      candidates.other_machine,
      candidates.other_session
    from
      candidates
    where
      candidates.is_by_family
  ),
  sharing as (
    select distinct
      doubtful.one_machine as one_machine,
      doubtful.one_session as one_session,
      doubtful.other_machine as other_machine,
      doubtful.other_session as other_session
    from
      doubtful
      inner join lake.entries as mine on mine.lake_machine = doubtful.one_machine
      and mine.session_key = doubtful.one_session
      inner join lake.entries as theirs on theirs.lake_machine = doubtful.other_machine
      and theirs.session_key = doubtful.other_session
      and theirs.own_record_key = mine.own_record_key
  ),
  pairs as (
    select
      candidates.one_key as one_key,
      candidates.other_key as other_key,
      candidates.record_key as record_key
    from
      candidates
      left join sharing on sharing.one_machine = candidates.one_machine
      and sharing.one_session = candidates.one_session
      and sharing.other_machine = candidates.other_machine
      and sharing.other_session = candidates.other_session
    where
      not candidates.is_by_family
      or (
        not candidates.is_by_words
        and sharing.one_session is null
      )
  ),
  sides as (
    select
      pairs.one_key as own_record_key,
      pairs.record_key as record_key
    from
      pairs
    union all
    select
      pairs.other_key as own_record_key,
      pairs.record_key as record_key
    from
      pairs
  )
select
  sides.own_record_key,
  min(sides.record_key) as record_key
from
  sides
group by
  sides.own_record_key
