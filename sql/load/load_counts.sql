-- What this run did, for its report and its record.
select
  (
    select
      count(*)
    from
      base.entries
    where
      entries.load_id = getvariable ('load_id')
  ) as entry_count,
  (
    select
      count(*)
    from
      base.messages
    where
      messages.load_id = getvariable ('load_id')
  ) as message_count,
  (
    select
      count(*)
    from
      base.tool_calls
    where
      tool_calls.load_id = getvariable ('load_id')
  ) as tool_call_count,
  (
    select
      count(*)
    from
      base.usage
    where
      usage.load_id = getvariable ('load_id')
  ) as usage_count,
  (
    select
      count(*)
    from
      stage_sessions
  ) as session_count,
  (
    select
      count(*)
    from
      stage_files
    where
      stage_files.skip_reason is not null
  ) as skipped_count,
  (
    select
      count(*)
    from
      stage_files
    where
      stage_files.pending_tail_bytes > 0
  ) as pending_tail_count,
  (
    select
      count(*)
    from
      stage_rejects
  ) as reject_count,
  (
    select
      count(*)
    from
      base.entries
    where
      entries.is_copy
  ) as copy_count
