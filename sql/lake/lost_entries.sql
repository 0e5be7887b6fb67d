-- Entries that own their record on their machine but are copies in the lake.
--
-- grain: session_key, file_id, entry_seq
select
  shared_owners.session_key,
  shared_owners.file_id,
  shared_owners.entry_seq
from
  lake.shared_owners
where
  shared_owners.place > 1
