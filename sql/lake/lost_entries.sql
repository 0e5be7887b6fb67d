-- Entries that own their record on their machine but are copies in the lake.
--
-- grain: lake_machine, session_key, entry_seq
select
  shared_owners.lake_machine,
  shared_owners.session_key,
  shared_owners.entry_seq
from
  lake.shared_owners
where
  shared_owners.place > 1
