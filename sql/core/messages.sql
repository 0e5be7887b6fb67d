-- Words and settings of the entries that a session's tree holds.
--
-- grain: session_key, entry_seq
select
  messages.session_key as session_key,
  messages.entry_seq as entry_seq,
  messages.entry_id as entry_id,
  messages.is_copy as is_copy,
  messages.entry_type as entry_type,
  messages.role as role,
  messages.entry_at as entry_at,
  messages.message_at,
  messages.occurred_on as occurred_on,
  messages.text,
  messages.text_chars,
  messages.prompt,
  messages.skill_name,
  messages.provider as provider,
  messages.model_id as model_id,
  messages.stop_reason as stop_reason,
  messages.is_failed as is_failed,
  messages.is_reply,
  messages.duration_ms as duration_ms,
  messages.unknown_block_count,
  messages.image_count,
  messages.command,
  messages.exit_code,
  messages.is_cancelled,
  messages.is_excluded_from_context,
  messages.target_entry_id,
  messages.label,
  messages.has_label,
  messages.tokens_before,
  messages.first_kept_entry_id,
  messages.is_from_extension,
  entries.turn_entry_seq as turn_entry_seq,
  entries.is_on_active_branch as is_on_active_branch,
  entries.is_abandoned,
  entries.context_position,
  entries.is_replaced as is_replaced
from
  base.messages
  inner join core.entries on entries.session_key = messages.session_key
  and entries.entry_seq = messages.entry_seq
