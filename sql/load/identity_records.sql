-- One row per identity in a group; a record older than the header of a child was written before the
-- child was, so there it is a copy.
create or replace temp table identity_records as
with
  placed as (
    select
      identity_members.group_key,
      identity_members.session_key,
      entries.own_record_key,
      entries.has_entry_id,
      entries.entry_at,
      entries.message_at,
      entries.label_hash,
      entries.content_hash,
      case coalesce(entries.role, entries.entry_type)
        when 'hookMessage' then 'custom'
        else coalesce(entries.role, entries.entry_type)
      end as kind,
      coalesce(entries.tool_call_id, '') as
    call,
    identity_members.is_parent
    or identity_members.header_at is null
    or entries.entry_at <= identity_members.header_at as may_be_shared,
    identity_members.is_parent
    or coalesce(entries.entry_at < identity_members.header_at, false) as is_older,
    identity_members.is_parent,
    row_number() over (
      partition by
        identity_members.group_key,
        identity_members.session_key,
        entries.entry_at,
        entries.message_at,
        kind,
      call
      order by
        entries.entry_seq
    ) as ordinal,
    row_number() over (
      partition by
        identity_members.group_key,
        identity_members.session_key,
        entries.entry_at,
        entries.label_hash
      order by
        entries.entry_seq
    ) as label_ordinal
    from
      identity_members
      inner join base.entries on entries.session_key = identity_members.session_key
    where
      entries.entry_at is not null
  )
select
  placed.group_key,
  placed.own_record_key,
  placed.has_entry_id,
  placed.entry_at,
  placed.message_at,
  placed.kind,
  placed.call,
  min(placed.label_hash) as label_hash,
  min(placed.content_hash) as content_hash,
  min(placed.session_key) as session_key,
  bool_or(placed.may_be_shared) as may_be_shared,
  bool_or(placed.is_older) as is_older,
  bool_or(placed.is_parent) as is_parent,
  min(placed.ordinal) as ordinal,
  min(placed.label_ordinal) as label_ordinal
from
  placed
group by all
