insert into
  affected_keys
select
  stage_entries.own_record_key
from
  stage_entries
