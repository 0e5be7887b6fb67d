insert into
  affected_keys
select
  entries.record_key
from
  base.entries
  inner join readings on readings.replaces_key = entries.session_key
