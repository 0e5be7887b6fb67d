-- Sessions by the name of their file, where that is one that Pi gives to no second
-- session.
--
-- grain: file_name
with
  named as (
    select
      regexp_replace(sessions.path, '^.*/', '') as file_name,
      sessions.session_key
    from
      lake.sessions
  )
select
  named.file_name,
  min(named.session_key) as session_key
from
  named
where
  named.file_name like '____-__-__T%.jsonl'
group by
  named.file_name
