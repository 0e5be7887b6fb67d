-- Sessions that may hold the same records under other ids: equal session ids, and a parent with its children.
create or replace temp table identity_members as
with
  members as (
    select
      'id:' || sessions.session_id as group_key,
      sessions.session_key,
      true as is_parent,
      sessions.header_at
    from
      base.sessions
    union all
    select distinct
      'parent:' || parent.session_key,
      parent.session_key,
      true,
      parent.header_at
    from
      base.sessions
      inner join base.sessions as parent on parent.session_key = sessions.parent_session_key
    union all
    select
      'parent:' || coalesce(sessions.parent_session_key, sessions.parent_session_path),
      sessions.session_key,
      false,
      sessions.header_at
    from
      base.sessions
    where
      sessions.parent_session_key is not null
      or sessions.parent_session_path is not null
  )
select
  members.group_key,
  members.session_key,
  members.is_parent,
  members.header_at
from
  members
qualify
  count(*) over (
    partition by
      members.group_key
  ) > 1
