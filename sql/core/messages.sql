-- Words and settings of the entries that a session's tree holds.
--
-- grain: session_key, entry_seq
select
  messages.session_key,
  messages.entry_seq,
  messages.entry_id,
  messages.is_copy,
  messages.entry_type,
  messages.role,
  messages.entry_at,
  messages.message_at,
  messages.occurred_on,
  messages.text,
  messages.text_chars,
  messages.prompt,
  messages.skill_name,
  messages.provider,
  messages.model_id,
  messages.stop_reason,
  messages.is_failed,
  messages.is_reply,
  messages.duration_ms,
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
  entries.turn_entry_seq,
  entries.is_on_active_branch,
  entries.is_abandoned,
  entries.context_position,
  entries.is_replaced
from
  base.messages
  inner join core.entries on entries.session_key = messages.session_key
  and entries.entry_seq = messages.entry_seq
