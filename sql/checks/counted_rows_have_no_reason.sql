-- A row of usage is counted or says why not; a copy is never counted.
--
-- severity: cheap
select
  usage.session_key,
  usage.entry_seq,
  usage.usage_seq,
  usage.is_copy,
  usage.is_counted,
  usage.not_counted_reason
from
  base.usage
where
  usage.is_counted <> (usage.not_counted_reason is null)
  or usage.is_copy <> (coalesce(usage.not_counted_reason, '') = 'copy')
