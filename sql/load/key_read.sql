update base.{table}
set
  session_key = readings.session_key
from
  readings
where
  {table}.load_id = getvariable ('load_id')
  and {table}.file_id = readings.file_id
  and {table}.session_key <> readings.session_key
