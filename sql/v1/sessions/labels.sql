-- Labels as they stand: for each entry that was ever labelled in a session, the
-- last label in file order on any branch, unless that one clears it.
--
-- grain: session_key, target_entry_id
--
-- session_key: Session.
-- target_entry_id: Entry that the label is about.
-- label: Text of the label.
-- labelled_at: When it was given.
-- entry_seq: Position of the label's own entry in its session.
-- entry_id: Id of the label's own entry.
-- is_copy: True where another row is the owner of the same label record.
with
  numbered as (
    select
      messages.session_key,
      messages.target_entry_id,
      messages.label,
      messages.has_label,
      messages.entry_at,
      messages.entry_seq,
      messages.entry_id,
      messages.is_copy,
      row_number() over (
        partition by
          messages.session_key,
          messages.target_entry_id
        order by
          messages.entry_seq desc
      ) as place
    from
      core.messages
    where
      messages.entry_type = 'label'
      and messages.target_entry_id is not null
  )
select
  numbered.session_key,
  numbered.target_entry_id,
  numbered.label,
  numbered.entry_at as labelled_at,
  numbered.entry_seq,
  numbered.entry_id,
  numbered.is_copy
from
  numbered
where
  numbered.place = 1
  and numbered.has_label
