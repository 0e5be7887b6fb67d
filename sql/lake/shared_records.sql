-- Records that several machines hold, with what they are in the lake.
--
-- grain: record_key
--
-- owner_session_key: Session that owns the record, by the key it has in the lake.
-- is_abandoned: True where every machine has it abandoned.
select
  shared_owners.record_key,
  coalesce(twin_sessions.shown_session_key, shared_owners.session_key) as owner_session_key,
  shared_owners.abandoned_count = shared_owners.machine_count as is_abandoned
from
  lake.shared_owners
  left join lake.twin_sessions on twin_sessions.session_key = shared_owners.session_key
  and twin_sessions.file_id = shared_owners.file_id
where
  shared_owners.place = 1
