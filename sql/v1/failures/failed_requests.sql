-- Requests that ended in an error or were aborted, with what they still cost.
-- Copies are included; leave them out to count each request once.
--
-- grain: session_key, entry_seq
--
-- session_key: Session.
-- entry_seq: Position of the entry in its session.
-- entry_id: Id of the entry.
-- occurred_at: When the request ended.
-- provider: Provider asked.
-- model_id: Model asked for.
-- stop_reason: error or aborted.
-- error_class: rate_limit, overloaded, auth, quota, context_length, network, server, aborted or other.
-- error_message_normalized: Error with numbers, ids and addresses taken out, so that equal causes are equal texts.
-- cost_usd: Cost as Pi recorded it.
-- is_retried: Whether another request followed before the next prompt.
-- retry_succeeded: Whether one of those that followed gave a reply.
-- is_copy: True where another row is the owner of the same record.
-- occurred_on: Day the request ended, in the warehouse's time zone.
-- project_path: Working directory in the session's header, or the project that the config file maps it to.
-- total_tokens: Sum of the four token counts.
-- error_message: Error as written.
select
  requests.session_key,
  requests.entry_seq,
  requests.entry_id,
  requests.occurred_at,
  requests.provider,
  requests.model_id,
  requests.stop_reason,
  requests.error_class,
  requests.error_message_normalized,
  requests.cost_usd,
  requests.is_retried,
  requests.retry_succeeded,
  requests.is_copy,
  requests.occurred_on,
  requests.project_path,
  requests.summed_tokens as total_tokens,
  requests.error_message
from
  core.requests
where
  requests.is_failed
