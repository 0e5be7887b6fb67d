update base.{table}
set
  is_present = false
from
  gone_sessions
where
  {table}.session_key = gone_sessions.session_key
  and {table}.load_id <> getvariable ('load_id')
  and {table}.is_present
