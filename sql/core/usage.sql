-- Every carrier of token counts, counted or not, with the machine and project of
-- its session. Records that a later reading of the file lacks are among them:
-- what was paid stays paid.
--
-- grain: session_key, entry_seq, usage_seq
--
-- summed_tokens: Input, output, cache reads and cache writes; a count that is not known adds nothing.
-- unpriced_tokens: The same where no cost is known: none recorded, or 0 by a model that is not known to be free.
select
  usage.session_key as session_key,
  usage.entry_seq as entry_seq,
  usage.usage_seq,
  usage.entry_id as entry_id,
  usage.record_key as record_key,
  usage.is_copy as is_copy,
  sessions.machine as machine,
  coalesce(sessions.project_path, '(unknown)') as project_path,
  usage.source,
  usage.usage_kind,
  usage.occurred_at,
  usage.occurred_on as occurred_on,
  usage.request_count,
  coalesce(usage.provider, '(unknown)') as provider,
  coalesce(usage.model_id, '(unknown)') as model_id,
  usage.response_model,
  usage.tool_name as tool_name,
  usage.subagent_name,
  usage.child_session_key,
  usage.input_tokens,
  usage.output_tokens,
  usage.cache_read_tokens,
  usage.cache_write_tokens,
  usage.cache_write_1h_tokens,
  usage.reasoning_tokens,
  usage.total_tokens,
  usage.invalid_token_count,
  coalesce(usage.input_tokens, 0) + coalesce(usage.output_tokens, 0) + coalesce(usage.cache_read_tokens, 0) + coalesce(usage.cache_write_tokens, 0) as summed_tokens,
  case
    when usage.cost_status in ('missing', 'invalid')
    or (
      usage.cost_status = 'zero'
      and coalesce(usage.estimated_cost_usd, 1) > 0
    ) then coalesce(usage.input_tokens, 0) + coalesce(usage.output_tokens, 0) + coalesce(usage.cache_read_tokens, 0) + coalesce(usage.cache_write_tokens, 0)
    else 0
  end as unpriced_tokens,
  usage.cost_usd,
  usage.cost_status,
  usage.estimated_cost_usd,
  usage.price_source,
  usage.replaced_cost_usd,
  usage.stop_reason as stop_reason,
  usage.is_failed as is_failed,
  usage.is_counted,
  usage.not_counted_reason
from
  base.usage
  inner join core.sessions on sessions.session_key = usage.session_key
