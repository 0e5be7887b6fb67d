create or replace temp table held_files as
select
  files.file_id,
  files.first_load_id
from
  base.files
  semi join run_files on run_files.file_id = files.file_id
