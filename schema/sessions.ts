import { derived, flag, instant, name, nullable, path, small, table, text, whole } from "./table.js";

export const sessions = table({
  name: "sessions",
  description: "One row per session, gone ones, editions and copies included.",
  key: ["session_key"],
  timeColumn: null,
  columns: {
    session_key: name("Session; a hash of id, header time and folder, with a suffix for a second edition."),
    base_session_key: name("The hash alone: equal for all editions of a session."),
    session_id: name("Id in the header; not unique."),
    file_id: name("File that holds the session, or held it last."),
    machine: derived(name("Machine whose disk holds the file.")),
    path: derived(path("Path of the file.")),
    is_present: derived(flag("False once the session's file is gone or holds another session.")),
    load_id: whole("Load that last read the session."),
    format_version: small("Version in the header; 1 where it has none."),
    project_path: nullable(path("Working directory in the header.")),
    project_name: nullable(name("Last part of project_path.")),
    name: nullable(text("Name given to the session, the last one.")),
    parent_session_key: derived(
      nullable(name("Session it was forked, cloned or started from, where that is loaded.")),
    ),
    parent_session_path: nullable(path("Parent's file as the header names it.")),
    parent_link: derived(nullable(name("fork, clone, child, child_fork or new; NULL without a parent."))),
    root_session_key: derived(name("First session of the family; itself without a parent.")),
    generation: derived(small("Steps from the first session of the family.")),
    subagent_name: derived(nullable(name("Sub-agent whose work it is, where its parent tells."))),
    header_at: nullable(instant("Time in the header; for a fork, when it was forked.")),
    started_at: nullable(
      instant("Time of the first entry that the session itself wrote, else of the header."),
    ),
    ended_at: nullable(instant("Latest entry time.")),
    leaf_entry_id: nullable(name("Last entry of the file: where Pi would go on.")),
    leaf_entry_seq: nullable(small("Position of that entry.")),
    record_count: small("Records in the file after the header."),
    is_copy_only: derived(flag("True where every record is a copy; left out of v1.sessions.")),
    header_json: nullable(text("Whatever of the header no column holds, as JSON.")),
    mapped_project_path: derived(
      nullable(path("Project that the config file's mapping makes of project_path; NULL without a rule.")),
    ),
    mapped_project_name: derived(nullable(name("Last part of mapped_project_path."))),
  },
});
