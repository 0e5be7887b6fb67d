update base.usage
set
  is_counted = found.is_counted,
  not_counted_reason = found.not_counted_reason
from
  (
    select
      held.session_key,
      held.entry_seq,
      held.usage_seq,
      not held.is_copy
      and not coalesce(shares.counts_nothing, false) as is_counted,
      case
        when held.is_copy then 'copy'
        when shares.counts_nothing then shares.not_counted_reason
      end as not_counted_reason
    from
      base.usage as held
      left join shares on shares.session_key = held.session_key
      and shares.entry_seq = held.entry_seq
      and shares.usage_seq = held.usage_seq
  ) as found
where
  usage.session_key = found.session_key
  and usage.entry_seq = found.entry_seq
  and usage.usage_seq = found.usage_seq
  and (
    usage.is_counted <> found.is_counted
    or usage.not_counted_reason is distinct from found.not_counted_reason
  )
