-- Kept rows got a marked key, so that sessions which are renamed at the same time could not meet them.
update base.{table}
set
  session_key = substr(session_key, 2)
where
  starts_with(session_key, '#')
