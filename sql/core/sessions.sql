-- Every session that was ever loaded, copies and gone ones included.
--
-- grain: session_key
--
-- project_path: Project that the mapping of the config file gives, else the working directory in the header.
select
  sessions.session_key,
  sessions.session_id,
  sessions.file_id,
  sessions.machine,
  sessions.path,
  sessions.is_present,
  sessions.format_version,
  coalesce(sessions.mapped_project_path, sessions.project_path) as project_path,
  coalesce(sessions.mapped_project_name, sessions.project_name) as project_name,
  sessions.name,
  sessions.parent_session_key,
  sessions.parent_session_path,
  sessions.parent_link,
  sessions.root_session_key,
  sessions.generation,
  sessions.subagent_name,
  sessions.header_at,
  sessions.started_at,
  sessions.ended_at,
  sessions.leaf_entry_id,
  sessions.leaf_entry_seq,
  sessions.record_count,
  sessions.is_copy_only
from
  base.sessions
