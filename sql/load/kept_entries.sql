-- Records of a session that its new reading lacks: they were paid, so they stay, above the new ones.
-- A record without an id of its own is also found again by its times, role, call and content, since
-- a migration in place gives it a random id.
create or replace temp table kept_entries as
with
  replaced as (
    select
      readings.file_id,
      readings.session_key,
      readings.replaces_key
    from
      readings
    where
      readings.replaces_key is not null
  ),
  lacking as (
    select
      entries.session_key as old_session_key,
      entries.entry_seq as old_seq,
      replaced.session_key,
      replaced.file_id,
      entries.has_entry_id,
      entries.entry_at,
      entries.message_at,
      coalesce(entries.role, entries.entry_type) as kind,
      coalesce(entries.tool_call_id, '') as
    call,
    coalesce(entries.content_hash, '') as content,
    row_number() over (
      partition by
        entries.session_key,
        entries.entry_at,
        entries.message_at,
        kind,
      call,
      content
      order by
        entries.entry_seq
    ) as ordinal
    from
      base.entries
      inner join replaced on replaced.replaces_key = entries.session_key
    where
      not exists (
        select
          1
        from
          stage_entries
        where
          stage_entries.file_id = replaced.file_id
          and stage_entries.own_record_key = entries.own_record_key
      )
  ),
  added as (
    select
      stage_entries.file_id,
      stage_entries.has_entry_id,
      stage_entries.entry_at,
      stage_entries.message_at,
      coalesce(stage_entries.role, stage_entries.entry_type) as kind,
      coalesce(stage_entries.tool_call_id, '') as
    call,
    coalesce(stage_entries.content_hash, '') as content,
    row_number() over (
      partition by
        stage_entries.file_id,
        stage_entries.entry_at,
        stage_entries.message_at,
        kind,
      call,
      content
      order by
        stage_entries.entry_seq
    ) as ordinal
    from
      stage_entries
      inner join replaced on replaced.file_id = stage_entries.file_id
    where
      not exists (
        select
          1
        from
          base.entries
        where
          entries.session_key = replaced.replaces_key
          and entries.own_record_key = stage_entries.own_record_key
      )
  ),
  kept as (
    select
      lacking.old_session_key,
      lacking.old_seq,
      lacking.session_key,
      lacking.file_id
    from
      lacking
    where
      not exists (
        select
          1
        from
          added
        where
          added.file_id = lacking.file_id
          and added.kind = lacking.kind
          and added.entry_at is not distinct from lacking.entry_at
          and added.message_at is not distinct from lacking.message_at
          and added.call = lacking.call
          and added.content = lacking.content
          and added.ordinal = lacking.ordinal
          and not (
            added.has_entry_id
            and lacking.has_entry_id
          )
      )
  ),
  tops as (
    select
      stage_entries.file_id,
      max(stage_entries.entry_seq) as top_seq
    from
      stage_entries
    group by
      stage_entries.file_id
  )
select
  kept.old_session_key,
  kept.old_seq,
  kept.session_key,
  kept.file_id,
  (
    coalesce(tops.top_seq, 0) + row_number() over (
      partition by
        kept.file_id
      order by
        kept.old_seq
    )
  )::integer as entry_seq
from
  kept
  left join tops on tops.file_id = kept.file_id
