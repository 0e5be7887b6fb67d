-- Records that some machine knows to be another one, as a migrated line of a file
-- it has both editions of, with the key of the other.
--
-- grain: own_record_key
select
  entries.own_record_key,
  min(entries.record_key) as record_key
from
  lake.entries
where
  entries.own_record_key <> entries.record_key
group by
  entries.own_record_key
