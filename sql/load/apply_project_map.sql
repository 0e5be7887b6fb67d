-- Sessions without a rule for their folder lose what an earlier mapping gave them.
update base.sessions
set
  mapped_project_path = found.mapped_project_path,
  mapped_project_name = found.mapped_project_name
from
  (
    select
      held.session_key,
      project_map.mapped_project_path,
      project_map.mapped_project_name
    from
      base.sessions as held
      left join project_map on project_map.project_path = held.project_path
  ) as found
where
  sessions.session_key = found.session_key
  and (
    sessions.mapped_project_path is distinct from found.mapped_project_path
    or sessions.mapped_project_name is distinct from found.mapped_project_name
  )
