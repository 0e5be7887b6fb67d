-- Keys of records under which one machine has what another one knows better.
--
-- grain: held_record_key
--
-- held_record_key: Key on the machine.
-- record_key: Key in the lake.
select
  entries.record_key as held_record_key,
  min(joined_keys.record_key) as record_key
from
  lake.entries
  inner join lake.joined_keys on joined_keys.own_record_key = entries.own_record_key
where
  entries.record_key > joined_keys.record_key
group by
  entries.record_key
