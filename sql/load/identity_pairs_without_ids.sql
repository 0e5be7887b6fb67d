-- A record without an id is the same as one that says the same at the same times in another file.
insert into
  identity_pairs
with
  bare as (
    select distinct
      entries.entry_at,
      entries.content_hash
    from
      base.entries
    where
      not entries.has_entry_id
      and entries.content_hash is not null
      and entries.entry_at is not null
  ),
  records as (
    select
      entries.session_key,
      entries.own_record_key,
      entries.has_entry_id,
      entries.entry_at,
      entries.message_at,
      case coalesce(entries.role, entries.entry_type)
        when 'hookMessage' then 'custom'
        else coalesce(entries.role, entries.entry_type)
      end as kind,
      coalesce(entries.tool_call_id, '') as
    call,
    entries.content_hash,
    row_number() over (
      partition by
        entries.session_key,
        entries.entry_at,
        entries.message_at,
        kind,
      call,
      entries.content_hash
      order by
        entries.entry_seq
    ) as ordinal
    from
      base.entries
      inner join bare on bare.entry_at = entries.entry_at
      and bare.content_hash = entries.content_hash
  )
select distinct
  one.own_record_key,
  other.own_record_key
from
  records as one
  inner join records as other on other.entry_at = one.entry_at
  and other.message_at is not distinct from one.message_at
  and other.kind = one.kind
  and other.call = one.call
  and other.content_hash = one.content_hash
  and other.ordinal = one.ordinal
  and other.session_key <> one.session_key
  and other.own_record_key <> one.own_record_key
where
  not one.has_entry_id
