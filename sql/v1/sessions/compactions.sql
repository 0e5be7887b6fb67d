-- Compactions of each session: the context before them and what their summary
-- cost. Copies are included; leave them out to count each compaction once.
--
-- grain: session_key, entry_seq
--
-- session_key: Session.
-- entry_seq: Position of the entry in its session.
-- entry_id: Id of the entry.
-- tokens_before: Tokens in the context before it.
-- cost_usd: Cost of the summary as Pi recorded it; NULL where it records none, as Pi before 0.81 does.
-- is_on_active_branch: True on the path from the last entry of the file to its root.
-- first_kept_entry_id: First entry that stays in the context.
-- is_from_extension: Whether an extension wrote the summary.
-- compacted_at: When it was written.
-- is_copy: True where another row is the owner of the same record.
-- summary_chars: Length of the summary in UTF-16 units.
with
  costs as (
    select
      usage.session_key,
      usage.entry_seq,
      sum(usage.cost_usd)::decimal(18, 9) as cost_usd
    from
      core.usage
    where
      usage.source = 'compaction'
    group by
      usage.session_key,
      usage.entry_seq
  )
select
  messages.session_key as session_key,
  messages.entry_seq as entry_seq,
  messages.entry_id as entry_id,
  messages.tokens_before,
  costs.cost_usd,
  messages.is_on_active_branch as is_on_active_branch,
  messages.first_kept_entry_id,
  messages.is_from_extension,
  messages.entry_at as compacted_at,
  messages.is_copy as is_copy,
  messages.text_chars as summary_chars
from
  core.messages
  left join costs on costs.session_key = messages.session_key
  and costs.entry_seq = messages.entry_seq
where
  messages.entry_type = 'compaction'
