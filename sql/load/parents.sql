-- The session that each session names as its parent: by place of its file, by path, by file name, by the
-- id in that name, in this order; for a sub-agent's file elsewhere, the session that reports it.
create or replace temp table parents as
with
  sessions as (
    select
      sessions.session_key,
      sessions.session_id,
      sessions.machine,
      sessions.path,
      sessions.is_present,
      sessions.header_at,
      sessions.parent_session_path,
      parse_filename(sessions.path) as file_name,
      parse_filename(replace(sessions.parent_session_path, '\', '/')) as parent_name
    from
      base.sessions
  ),
  candidates as (
    select
      placements.session_key,
      placements.parent_key,
      1 as way
    from
      placements
    union all
    select
      sessions.session_key,
      parent.session_key,
      2
    from
      sessions
      inner join sessions as parent on parent.path = sessions.parent_session_path
    union all
    select
      sessions.session_key,
      parent.session_key,
      3
    from
      sessions
      inner join sessions as parent on parent.file_name = sessions.parent_name
    union all
    select
      sessions.session_key,
      parent.session_key,
      4
    from
      sessions
      inner join sessions as parent on parent.session_id = regexp_extract(sessions.parent_name, '^[^_]*_(.*)[.]jsonl$', 1)
    union all
    select
      usage.child_session_key,
      usage.session_key,
      5
    from
      base.usage
    where
      usage.child_session_key is not null
  )
select
  candidates.session_key,
  candidates.parent_key,
  candidates.way
from
  candidates
  inner join sessions on sessions.session_key = candidates.session_key
  inner join sessions as parent on parent.session_key = candidates.parent_key
where
  candidates.parent_key <> candidates.session_key
qualify
  row_number() over (
    partition by
      candidates.session_key
    order by
      candidates.way,
      parent.machine = sessions.machine desc,
      coalesce(parent.header_at <= sessions.header_at, true) desc,
      parent.is_present desc,
      parent.header_at nulls last,
      parent.path,
      parent.session_key
  ) = 1
