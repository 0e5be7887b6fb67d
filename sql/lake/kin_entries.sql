-- Their entries, with what tells a record beside its id, and entries that say the
-- same at the same time where one of them has no id.
--
-- grain: group_key, lake_machine, session_key, entry_seq
--
-- may_be_shared: False for what a child wrote itself.
-- is_older: True for what was written before the child was.
-- ordinal: Place among the equal ones of a session.
with
  bare as (
    select distinct
      entries.entry_at,
      entries.content_hash
    from
      lake.entries
    where
      not entries.has_entry_id
      and entries.content_hash is not null
      and entries.entry_at is not null
  ),
  members as (
    select
      kin_sessions.group_key as group_key,
      entries.lake_machine as lake_machine,
      entries.session_key as session_key,
      entries.entry_seq as entry_seq,
      kin_sessions.is_parent as is_parent,
      kin_sessions.is_parent
      or kin_sessions.header_at is null
      or entries.entry_at <= kin_sessions.header_at as may_be_shared,
      kin_sessions.is_parent
      or coalesce(entries.entry_at < kin_sessions.header_at, false) as is_older
    from
      lake.kin_sessions
      inner join lake.entries on entries.lake_machine = kin_sessions.lake_machine
      and entries.session_key = kin_sessions.session_key
    where
      entries.entry_at is not null
    union all
    select
      'says:' || entries.content_hash as group_key,
      entries.lake_machine as lake_machine,
      entries.session_key as session_key,
      entries.entry_seq as entry_seq,
      true as is_parent,
      true as may_be_shared,
      true as is_older
    from
      lake.entries
      inner join bare on bare.entry_at = entries.entry_at
      and bare.content_hash = entries.content_hash
  ),
  kinds as (
    select
      members.group_key as group_key,
      members.lake_machine as lake_machine,
      members.session_key as session_key,
      members.entry_seq as entry_seq,
      members.is_parent as is_parent,
      members.may_be_shared as may_be_shared,
      members.is_older as is_older,
      entries.own_record_key as own_record_key,
      entries.record_key as record_key,
      entries.has_entry_id as has_entry_id,
      entries.content_hash as content_hash,
      entries.label_hash as label_hash,
      entries.entry_at as entry_at,
      coalesce(entries.message_at, entries.entry_at) as message_at,
      case
        when entries.role = 'hookMessage' then 'custom'
        else coalesce(entries.role, entries.entry_type)
      end as kind,
      coalesce(entries.label_hash, entries.tool_call_id, '') as detail
    from
      members
      inner join lake.entries on entries.lake_machine = members.lake_machine
      and entries.session_key = members.session_key
      and entries.entry_seq = members.entry_seq
  )
select
  kinds.group_key,
  kinds.lake_machine,
  kinds.session_key,
  kinds.entry_seq,
  kinds.is_parent,
  kinds.may_be_shared,
  kinds.is_older,
  kinds.own_record_key,
  kinds.record_key,
  kinds.has_entry_id,
  kinds.content_hash,
  kinds.label_hash,
  kinds.entry_at,
  kinds.message_at,
  kinds.kind,
  kinds.detail,
  row_number() over (
    partition by
      kinds.group_key,
      kinds.lake_machine,
      kinds.session_key,
      kinds.entry_at,
      kinds.message_at,
      kinds.kind,
      kinds.detail
    order by
      kinds.entry_seq
  ) as ordinal
from
  kinds
