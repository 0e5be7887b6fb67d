-- Sessions that several machines hold, except the fullest one, which keeps the
-- key. The others are shown beside it under a key with their machine's name, as
-- a warehouse shows a second edition: what only they hold stays to be seen.
--
-- grain: lake_machine, session_key
--
-- session_key: Key that the session has on its machine.
-- shown_session_key: Key that it has in the lake.
with
  ranked as (
    select
      sessions.lake_machine,
      sessions.session_key,
      row_number() over (
        partition by
          sessions.session_key
        order by
          sessions.record_count desc,
          sessions.lake_machine
      ) as place
    from
      lake.sessions
  )
select
  ranked.lake_machine,
  ranked.session_key,
  ranked.session_key || '@' || ranked.lake_machine as shown_session_key
from
  ranked
where
  ranked.place > 1
