-- Words that Pi is known to write, by kind; others are kept and counted in
-- data_quality.
--
-- grain: kind, word
select
  'entry_type' as kind,
  'message' as word
union all
select
  'entry_type' as kind,
  'model_change' as word
union all
select
  'entry_type' as kind,
  'thinking_level_change' as word
union all
select
  'entry_type' as kind,
  'compaction' as word
union all
select
  'entry_type' as kind,
  'branch_summary' as word
union all
select
  'entry_type' as kind,
  'custom' as word
union all
select
  'entry_type' as kind,
  'custom_message' as word
union all
select
  'entry_type' as kind,
  'label' as word
union all
select
  'entry_type' as kind,
  'session_info' as word
union all
select
  'entry_type' as kind,
  'usage' as word
union all
select
  'entry_type' as kind,
  'context_edit' as word
union all
select
  'role' as kind,
  'user' as word
union all
select
  'role' as kind,
  'assistant' as word
union all
select
  'role' as kind,
  'toolResult' as word
union all
select
  'role' as kind,
  'bashExecution' as word
union all
select
  'role' as kind,
  'custom' as word
union all
select
  'role' as kind,
  'system' as word
union all
select
  'role' as kind,
  'hookMessage' as word
union all
select
  'stop_reason' as kind,
  'stop' as word
union all
select
  'stop_reason' as kind,
  'length' as word
union all
select
  'stop_reason' as kind,
  'toolUse' as word
union all
select
  'stop_reason' as kind,
  'error' as word
union all
select
  'stop_reason' as kind,
  'aborted' as word
union all
select
  'stop_reason' as kind,
  'deferred' as word
union all
select
  'stop_reason' as kind,
  'pending' as word
