stage_entries
inner join readings on readings.file_id = stage_entries.file_id
inner join run_files on run_files.file_id = stage_entries.file_id
inner join stage_sessions on stage_sessions.file_id = stage_entries.file_id
left join stage_entry_links as links on links.file_id = stage_entries.file_id
and links.entry_seq = stage_entries.entry_seq
left join paid_entries on paid_entries.file_id = stage_entries.file_id
and paid_entries.entry_seq = stage_entries.entry_seq
