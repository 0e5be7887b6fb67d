-- What was odd about entries, a row each: words that Pi is not known to write,
-- parents that are missing, records and ids that a file holds twice, times that
-- are none. Copies count where the oddity is the file's own and not the record's.
--
-- occurrence_count: How often that entry shows it.
with
  words as (
    select
      'entry_type' as kind,
      entries.entry_type as word
    from
      core.entries
    where
      not entries.is_copy
    union all
    select
      'role' as kind,
      coalesce(entries.role, '(missing)') as word
    from
      core.entries
    where
      not entries.is_copy
      and entries.entry_type = 'message'
    union all
    select
      'stop_reason' as kind,
      messages.stop_reason as word
    from
      core.messages
    where
      not messages.is_copy
      and messages.stop_reason is not null
  ),
  numbered as (
    select
      entries.entry_type,
      row_number() over (
        partition by
          entries.session_key,
          entries.record_key
        order by
          entries.entry_seq
      ) as record_number,
      row_number() over (
        partition by
          entries.session_key,
          entries.entry_id
        order by
          entries.entry_seq
      ) as id_number
    from
      core.entries
  )
select
  case words.kind
    when 'entry_type' then 'unknown_entry_type'
    when 'role' then 'unknown_role'
    else 'unknown_stop_reason'
  end as kind,
  words.word as detail,
  1 as occurrence_count
from
  words
  left join core.known_words on known_words.kind = words.kind
  and known_words.word = words.word
where
  known_words.word is null
union all
select
  'unknown_block' as kind,
  coalesce(messages.role, messages.entry_type) as detail,
  messages.unknown_block_count as occurrence_count
from
  core.messages
where
  messages.unknown_block_count > 0
  and not messages.is_copy
union all
select
  'orphan' as kind,
  entries.entry_type as detail,
  1 as occurrence_count
from
  core.entries
where
  entries.is_orphan
union all
select
  'duplicate_record' as kind,
  numbered.entry_type as detail,
  1 as occurrence_count
from
  numbered
where
  numbered.record_number > 1
union all
select
  'duplicate_id' as kind,
  numbered.entry_type as detail,
  1 as occurrence_count
from
  numbered
where
  numbered.id_number > 1
  and numbered.record_number = 1
union all
select
  'odd_time' as kind,
  entries.entry_type as detail,
  1 as occurrence_count
from
  core.entries
where
  entries.entry_at is null
  and not entries.is_copy
