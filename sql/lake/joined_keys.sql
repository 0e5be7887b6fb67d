-- Records that some machine knows to be another one, as a migrated line of a file
-- it has both editions of, and those that no machine knows of, with the key of the
-- other.
--
-- grain: own_record_key
with
  joined as (
    select
      entries.own_record_key as own_record_key,
      entries.record_key as record_key
    from
      lake.entries
    where
      entries.own_record_key <> entries.record_key
    union all
    select
      kin_keys.own_record_key as own_record_key,
      kin_keys.record_key as record_key
    from
      lake.kin_keys
  )
select
  joined.own_record_key,
  min(joined.record_key) as record_key
from
  joined
group by
  joined.own_record_key
