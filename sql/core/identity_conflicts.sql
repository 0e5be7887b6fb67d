-- Copies that say something else than the record they are a copy of: another
-- role, model or token count.
--
-- occurrence_count: Always 1; a row is one copy.
with
  entry_owners as (
    select
      records.record_key,
      records.entry_type,
      records.role
    from
      core.records
    where
      not records.is_copy
  ),
  usage_owners as (
    select
      usage.record_key,
      usage.usage_seq,
      usage.provider,
      usage.model_id,
      usage.summed_tokens
    from
      core.usage
    where
      not usage.is_copy
  )
select
  'identity_conflict' as kind,
  'role' as detail,
  1 as occurrence_count
from
  core.records
  inner join entry_owners on entry_owners.record_key = records.record_key
where
  records.is_copy
  and (
    records.entry_type <> entry_owners.entry_type
    or coalesce(records.role, '') <> coalesce(entry_owners.role, '')
  )
union all
select
  'identity_conflict' as kind,
  case
    when usage.provider <> usage_owners.provider
    or usage.model_id <> usage_owners.model_id then 'model'
    else 'tokens'
  end as detail,
  1 as occurrence_count
from
  core.usage
  inner join usage_owners on usage_owners.record_key = usage.record_key
  and usage_owners.usage_seq = usage.usage_seq
where
  usage.is_copy
  and (
    usage.provider <> usage_owners.provider
    or usage.model_id <> usage_owners.model_id
    or usage.summed_tokens <> usage_owners.summed_tokens
  )
