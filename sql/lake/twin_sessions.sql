-- Sessions that several machines hold, except the fullest one, which keeps the
-- key. The others are shown beside it under a key with their machine's name, as
-- a warehouse shows a second edition: what only they hold stays to be seen.
--
-- grain: session_key, file_id
--
-- session_key: Key that the session has on its machine.
-- file_id: File that holds it there.
-- shown_session_key: Key that it has in the lake.
with
  ranked as (
    select
      sessions.session_key,
      sessions.file_id,
      sessions.machine,
      row_number() over (
        partition by
          sessions.session_key
        order by
          sessions.record_count desc,
          sessions.machine
      ) as place
    from
      lake.sessions
  )
select
  ranked.session_key,
  ranked.file_id,
  ranked.session_key || '@' || ranked.machine as shown_session_key
from
  ranked
where
  ranked.place > 1
