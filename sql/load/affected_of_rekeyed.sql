insert into
  affected_keys
select
  rekeyed_entries.old_key
from
  rekeyed_entries
union
select
  rekeyed_entries.record_key
from
  rekeyed_entries
