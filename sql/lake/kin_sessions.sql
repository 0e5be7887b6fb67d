-- Sessions that may hold the records of another machine's under other ids: those of
-- one session id, and a parent with its children.
--
-- grain: group_key, lake_machine, session_key
with
  children as (
    select
      coalesce(sessions.parent_session_key, named_sessions.session_key, sessions.parent_session_path) as parent_key,
      sessions.lake_machine as lake_machine,
      sessions.session_key as session_key,
      sessions.header_at as header_at
    from
      lake.sessions
      left join lake.named_sessions on named_sessions.file_name = regexp_replace(sessions.parent_session_path, '^.*/', '')
    where
      sessions.parent_session_key is not null
      or sessions.parent_session_path is not null
  ),
  members as (
    select
      'id:' || sessions.session_id as group_key,
      sessions.lake_machine as lake_machine,
      sessions.session_key as session_key,
      true as is_parent,
      sessions.header_at as header_at
    from
      lake.sessions
    union all
    select
      'parent:' || sessions.session_key as group_key,
      sessions.lake_machine as lake_machine,
      sessions.session_key as session_key,
      true as is_parent,
      sessions.header_at as header_at
    from
      lake.sessions
    where
      sessions.session_key in (
        select
          children.parent_key
        from
          children
      )
    union all
    select
      'parent:' || children.parent_key as group_key,
      children.lake_machine as lake_machine,
      children.session_key as session_key,
      false as is_parent,
      children.header_at as header_at
    from
      children
  ),
  groups as (
    select
      members.group_key
    from
      members
    group by
      members.group_key
    having
      min(members.lake_machine) <> max(members.lake_machine)
  )
select
  members.group_key,
  members.lake_machine,
  members.session_key,
  members.is_parent,
  members.header_at
from
  members
where
  members.group_key in (
    select
      groups.group_key
    from
      groups
  )
