-- Every row of entries names the session that holds the owner of its record.
--
-- severity: full
select
  entries.session_key,
  entries.entry_seq,
  entries.owner_session_key
from
  base.entries
  left join base.entries as owners on owners.record_key = entries.record_key
  and not owners.is_copy
where
  owners.session_key is null
  or owners.session_key <> entries.owner_session_key
