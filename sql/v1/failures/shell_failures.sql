-- Shell commands that users ran from Pi (! and !!) and that failed or were
-- cancelled. Copies are included; leave them out to count each command once.
--
-- grain: session_key, entry_seq
--
-- session_key: Session.
-- entry_seq: Position of the entry in its session.
-- command: Command as typed; NULL where the warehouse keeps no text.
-- exit_code: Exit code; NULL when cancelled.
-- is_cancelled: Whether it was cancelled.
-- entry_id: Id of the entry.
-- occurred_at: When it ended.
-- occurred_on: Day it ended, in the warehouse's time zone.
-- is_copy: True where another row is the owner of the same record.
-- is_excluded_from_context: Whether it was run with !! and is not sent.
-- project_path: Working directory in the session's header, or the project that the config file maps it to.
select
  messages.session_key as session_key,
  messages.entry_seq as entry_seq,
  messages.command,
  messages.exit_code,
  coalesce(messages.is_cancelled, false) as is_cancelled,
  messages.entry_id as entry_id,
  messages.entry_at as occurred_at,
  messages.occurred_on as occurred_on,
  messages.is_copy as is_copy,
  coalesce(messages.is_excluded_from_context, false) as is_excluded_from_context,
  sessions.project_path as project_path
from
  core.messages
  inner join core.sessions on sessions.session_key = messages.session_key
where
  messages.role = 'bashExecution'
  and (
    coalesce(messages.exit_code, 0) <> 0
    or coalesce(messages.is_cancelled, false)
  )
