update base.{table}
set
  is_copy = changed_owners.is_copy
from
  changed_owners
where
  {table}.session_key = changed_owners.session_key
  and {table}.entry_seq = changed_owners.entry_seq
  and {table}.is_copy <> changed_owners.is_copy
