-- One row per request to a provider, copies included, with why it failed.
-- Requests that a later reading of the file lacks are among them.
--
-- grain: session_key, entry_seq
select
  usage.session_key as session_key,
  usage.entry_seq as entry_seq,
  usage.entry_id as entry_id,
  usage.is_copy as is_copy,
  usage.project_path as project_path,
  usage.occurred_at,
  usage.occurred_on as occurred_on,
  usage.provider as provider,
  usage.model_id as model_id,
  usage.stop_reason as stop_reason,
  usage.is_failed as is_failed,
  usage.summed_tokens,
  usage.cost_usd,
  case
    when usage.is_failed then coalesce(messages.error_class, 'other')
  end as error_class,
  messages.error_message,
  messages.error_message_normalized,
  messages.is_retried,
  messages.retry_succeeded,
  messages.is_reply,
  messages.duration_ms as duration_ms
from
  core.usage
  left join base.messages on messages.session_key = usage.session_key
  and messages.entry_seq = usage.entry_seq
where
  usage.request_count > 0
