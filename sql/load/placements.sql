-- Sessions whose file lies below a folder named after another session's file: sub-agents' work. A session
-- that began later took the place of the parent in its file. Where either was moved without the other, the
-- folder's name still tells, for Pi gives no two sessions one name.
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
      array_to_string(parts.names[1:folder_depth], '/') as folder,
      parts.names[folder_depth] as folder_name
    from
      parts
  ),
  stems as (
    select
      sessions.session_key,
      sessions.machine,
      left(sessions.path, length(sessions.path) - 6) as stem,
      parse_filename(stem) as stem_name,
      sessions.is_present,
      sessions.header_at
    from
      base.sessions
    where
      sessions.path like '%.jsonl'
  ),
  found as (
    select
      folders.session_key,
      folders.path,
      folders.folder,
      folders.folder_depth,
      folders.header_at,
      stems.session_key as parent_key,
      stems.header_at as parent_header_at,
      stems.is_present,
      1 as way
    from
      folders
      inner join stems on stems.stem = folders.folder
      and stems.machine = folders.machine
    union all
    select
      folders.session_key,
      folders.path,
      folders.folder,
      folders.folder_depth,
      folders.header_at,
      stems.session_key,
      stems.header_at,
      stems.is_present,
      2
    from
      folders
      inner join stems on stems.stem_name = folders.folder_name
    where
      regexp_matches(folders.folder_name, '^\d{4}-\d\d-\d\dT.*_.')
  )
select
  found.session_key,
  found.parent_key,
  substr(found.path, length(found.folder) + 2) as rest_path
from
  found
where
  found.parent_key <> found.session_key
qualify
  row_number() over (
    partition by
      found.session_key
    order by
      found.folder_depth desc,
      found.way,
      coalesce(found.parent_header_at <= found.header_at, true) desc,
      found.is_present desc,
      found.parent_key
  ) = 1
