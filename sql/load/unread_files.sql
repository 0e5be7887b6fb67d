-- Files whose reading failed: what the warehouse holds of them stays as it is.
create or replace temp table unread_files as
select
  run_files.*,
  failed_files.reason
from
  run_files
  inner join failed_files on failed_files.file_id = run_files.file_id
