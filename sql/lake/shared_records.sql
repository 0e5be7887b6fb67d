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
  left join lake.twin_sessions on twin_sessions.lake_machine = shared_owners.lake_machine
  and twin_sessions.session_key = shared_owners.session_key
where
  shared_owners.place = 1
