-- Sessions whose file lies below a folder named after another session's file: sub-agents' work. A session
-- that began later took the place of the parent in its file.
create or replace temp table placements as
with
  parts as (
    select
      sessions.session_key,
      sessions.machine,
      sessions.path,
      sessions.header_at,
      string_split(sessions.path, '/') as names
    from
      base.sessions
  ),
  folders as (
    select
      parts.session_key,
      parts.machine,
      parts.path,
      parts.header_at,
      unnest(range(2, len(parts.names))) as folder_depth,
      array_to_string(parts.names[1:folder_depth], '/') as folder
    from
      parts
  ),
  stems as (
    select
      sessions.session_key,
      sessions.machine,
      left(sessions.path, length(sessions.path) - 6) as stem,
      sessions.is_present,
      sessions.header_at
    from
      base.sessions
    where
      sessions.path like '%.jsonl'
  )
select
  folders.session_key,
  stems.session_key as parent_key,
  substr(folders.path, length(folders.folder) + 2) as rest_path
from
  folders
  inner join stems on stems.stem = folders.folder
  and stems.machine = folders.machine
  and stems.session_key <> folders.session_key
qualify
  row_number() over (
    partition by
      folders.session_key
    order by
      folders.folder_depth desc,
      coalesce(stems.header_at <= folders.header_at, true) desc,
      stems.is_present desc,
      stems.session_key
  ) = 1
