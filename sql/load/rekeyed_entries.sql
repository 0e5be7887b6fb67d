create or replace temp table rekeyed_entries as
select
  entries.session_key,
  entries.entry_seq,
  entries.record_key as old_key,
  coalesce(identity_map.record_key, entries.own_record_key) as record_key
from
  base.entries
  left join identity_map on identity_map.own_record_key = entries.own_record_key
where
  entries.record_key <> coalesce(identity_map.record_key, entries.own_record_key)
