update base.{table}
set
  session_key = renames.new_key
from
  renames
where
  {table}.session_key = renames.old_key
  and {table}.load_id <> getvariable ('load_id')
