delete from base.sessions
where
  sessions.session_key in (
    select
      readings.replaces_key
    from
      readings
    where
      readings.replaces_key is not null
  )
