-- How a session came from its parent. A clone is the whole path to where the parent stood; a fork stops
-- before a message that the parent had by then, or takes more than one path.
create or replace temp table parent_links as
with
  children as (
    select
      sessions.session_key,
      sessions.parent_session_key,
      sessions.header_at,
      placements.rest_path,
      placements.parent_key is not null
      or exists (
        select
          1
        from
          base.usage
        where
          usage.child_session_key = sessions.session_key
      ) as is_child
    from
      base.sessions
      left join placements on placements.session_key = sessions.session_key
    where
      sessions.parent_session_key is not null
      or sessions.parent_session_path is not null
  ),
  copied as (
    select
      children.session_key,
      children.parent_session_key,
      children.header_at,
      entries.entry_seq,
      entries.depth,
      entries.record_key
    from
      children
      inner join base.entries on entries.session_key = children.session_key
    where
      entries.entry_type <> 'label'
      and entries.root_entry_seq is not null
      and case
        when children.parent_session_key is null then entries.entry_at < children.header_at
        else exists (
          select
            1
          from
            base.entries as original
          where
            original.session_key = children.parent_session_key
            and original.record_key = entries.record_key
        )
      end
  ),
  counts as (
    select
      copied.session_key,
      count(*) as copied_count,
      arg_max(copied.depth, copied.entry_seq) as last_depth,
      arg_max(copied.record_key, copied.entry_seq) as last_key
    from
      copied
    group by
      copied.session_key
  ),
  left_behind as (
    select distinct
      counts.session_key
    from
      counts
      inner join children on children.session_key = counts.session_key
      inner join base.entries as last_original on last_original.session_key = children.parent_session_key
      and last_original.record_key = counts.last_key
      inner join base.entries as next_original on next_original.session_key = children.parent_session_key
      and next_original.parent_entry_seq = last_original.entry_seq
    where
      next_original.entry_at <= children.header_at
      and next_original.entry_type <> 'label'
  )
select
  children.session_key,
  case
    when children.is_child
    and (
      counts.copied_count > 0
      or children.rest_path like 'forks/%'
    ) then 'child_fork'
    when children.is_child then 'child'
    when counts.copied_count is null then 'new'
    when children.parent_session_key is null then 'fork'
    when counts.copied_count > counts.last_depth + 1 then 'fork'
    when left_behind.session_key is not null then 'fork'
    else 'clone'
  end as parent_link
from
  children
  left join counts on counts.session_key = children.session_key
  left join left_behind on left_behind.session_key = children.session_key
