-- What was odd about the data, with how often: lines and files that were not
-- taken, words that Pi is not known to write, costs and token counts that are no
-- amounts, records that contradict each other.
--
-- grain: kind, detail
--
-- kind: What is odd: rejected_line, skipped_file, unreadable_file, second_header, pending_tail, unknown_entry_type, unknown_role, unknown_block, unknown_stop_reason, orphan, duplicate_record, duplicate_id, odd_time, invalid_cost, invalid_token_count, total_tokens_mismatch, missing_usage, changed_cost or identity_conflict.
-- detail: Which one: the reason, the unknown word, the type of the entry, or the carrier of the usage.
-- occurrence_count: How often.
with
  findings as (
    select
      file_findings.kind,
      file_findings.detail,
      file_findings.occurrence_count
    from
      core.file_findings
    union all
    select
      entry_findings.kind,
      entry_findings.detail,
      entry_findings.occurrence_count
    from
      core.entry_findings
    union all
    select
      usage_findings.kind,
      usage_findings.detail,
      usage_findings.occurrence_count
    from
      core.usage_findings
    union all
    select
      identity_conflicts.kind,
      identity_conflicts.detail,
      identity_conflicts.occurrence_count
    from
      core.identity_conflicts
  )
select
  findings.kind,
  findings.detail,
  sum(findings.occurrence_count)::bigint as occurrence_count
from
  findings
group by
  findings.kind,
  findings.detail
