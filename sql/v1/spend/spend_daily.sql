-- Spend and volume by day, machine, project, model and carrier. Each fact counts
-- once: copies that forks and exports made are left out. Failed requests count
-- with whatever they cost.
--
-- grain: spent_on, machine, project_path, provider, model_id, source
--
-- spent_on: Day the entry was written, in the warehouse's time zone; NULL where its time is none.
-- machine: Machine whose disk holds the session.
-- project_path: Working directory in the session's header, or the project that the config file maps it to; (unknown) where it has none.
-- provider: Provider asked; (unknown) where the carrier names none.
-- model_id: Model asked for, not the name that answered; (unknown) where the carrier names none.
-- source: What carries the usage: assistant, tool_result, subagent, compaction, branch_summary or usage_entry.
-- request_count: Requests to the provider, failed ones among them.
-- failed_request_count: Requests that ended in an error or were aborted.
-- input_tokens: Prompt tokens that no cache held.
-- output_tokens: Tokens written; reasoning is part of them.
-- cache_read_tokens: Prompt tokens read from a cache.
-- cache_write_tokens: Prompt tokens written to a cache.
-- cost_usd: Cost in US dollars, as Pi recorded it.
-- estimated_cost_usd: Estimate from a price table for rows without a recorded cost; never part of cost_usd.
-- unpriced_tokens: Tokens whose cost is not known: none recorded, or 0 by a model that is not known to be free.
-- reasoning_tokens: Part of output_tokens that is reasoning.
-- total_tokens: Sum of the four token counts.
select
  daily_spend.spent_on,
  daily_spend.machine,
  daily_spend.project_path,
  daily_spend.provider,
  daily_spend.model_id,
  daily_spend.source,
  daily_spend.request_count,
  daily_spend.failed_request_count,
  daily_spend.input_tokens,
  daily_spend.output_tokens,
  daily_spend.cache_read_tokens,
  daily_spend.cache_write_tokens,
  daily_spend.cost_usd,
  daily_spend.estimated_cost_usd,
  daily_spend.unpriced_tokens,
  daily_spend.reasoning_tokens,
  daily_spend.total_tokens
from
  core.daily_spend
