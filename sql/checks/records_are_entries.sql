-- What was read from a file is there: as many entries as it has records, as many
-- rejects as it has bad lines.
--
-- severity: cheap
with
  entry_counts as (
    select
      entries.session_key,
      count(*) as entry_count
    from
      base.entries
    where
      entries.root_entry_seq is not null
    group by
      entries.session_key
  ),
  reject_counts as (
    select
      rejects.file_id,
      count(*) as reject_count
    from
      base.rejects
    group by
      rejects.file_id
  )
select
  files.file_id,
  files.record_count,
  coalesce(entry_counts.entry_count, 0) as entry_count,
  files.reject_count,
  coalesce(reject_counts.reject_count, 0) as reject_row_count
from
  base.files
  left join base.sessions on sessions.session_key = files.session_key
  left join entry_counts on entry_counts.session_key = files.session_key
  left join reject_counts on reject_counts.file_id = files.file_id
where
  (
    sessions.file_id = files.file_id
    and files.record_count <> coalesce(entry_counts.entry_count, 0)
  )
  or files.reject_count <> coalesce(reject_counts.reject_count, 0)
