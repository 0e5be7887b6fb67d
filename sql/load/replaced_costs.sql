-- The same record with another cost: the new reading wins, and the cost it replaced stays visible. A record
-- that stands in a file several times is compared place by place.
with
  held as (
    select
      readings.file_id,
      usage.record_key,
      usage.usage_seq,
      usage.source,
      usage.cost_usd,
      usage.replaced_cost_usd,
      row_number() over (
        partition by
          readings.file_id,
          usage.record_key,
          usage.usage_seq,
          usage.source
        order by
          usage.entry_seq
      ) as place
    from
      readings
      inner join base.usage on usage.session_key = readings.replaces_key
    where
      usage.load_id <> getvariable ('load_id')
      and usage.source not in ('tool_result', 'subagent')
  ),
  found as (
    select
      usage.file_id,
      usage.entry_seq,
      usage.record_key,
      usage.usage_seq,
      usage.source,
      row_number() over (
        partition by
          usage.file_id,
          usage.record_key,
          usage.usage_seq,
          usage.source
        order by
          usage.entry_seq
      ) as place
    from
      readings
      inner join base.usage on usage.file_id = readings.file_id
    where
      readings.replaces_key is not null
      and usage.load_id = getvariable ('load_id')
  )
update base.usage
set
  replaced_cost_usd = case
    when held.cost_usd is distinct from usage.cost_usd then held.cost_usd
    else held.replaced_cost_usd
  end
from
  found
  inner join held on held.file_id = found.file_id
  and held.record_key = found.record_key
  and held.usage_seq = found.usage_seq
  and held.source = found.source
  and held.place = found.place
where
  usage.load_id = getvariable ('load_id')
  and usage.file_id = found.file_id
  and usage.entry_seq = found.entry_seq
  and usage.usage_seq = found.usage_seq
