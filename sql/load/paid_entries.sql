create or replace temp table paid_entries as
select distinct
  usage.file_id,
  usage.entry_seq
from
  base.usage
where
  usage.load_id = getvariable ('load_id')
  and usage.cost_status = 'recorded'
