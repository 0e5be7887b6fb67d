-- Each record has exactly one owner; the rest of its rows are copies, so owned and
-- copied rows are all rows.
--
-- severity: cheap
select
  entries.record_key,
  count(*) as row_count,
  count(*) filter(
    where
      not entries.is_copy
  ) as owner_count
from
  base.entries
group by
  entries.record_key
having
  count(*) filter(
    where
      not entries.is_copy
  ) <> 1
