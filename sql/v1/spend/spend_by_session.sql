-- What each session cost, with the work it gave to sub-agents apart. Each fact
-- counts once, in the session that owns it: a fork has no cost for the history it
-- copied. Sessions in which every record is a copy are left out.
--
-- grain: session_key
--
-- session_key: Session.
-- session_id: Id in the session's header; not unique.
-- project_path: Working directory in the session's header, or the project that the config file maps it to.
-- started_at: Time of the first entry that the session itself wrote.
-- cost_usd: Cost of the session itself, sub-agents left out; over all sessions this and the counted sub-agent rows add up to all spend.
-- subagent_cost_usd: Cost of sub-agents: those that only this session reports, and the sessions of the others, at any depth.
-- total_cost_usd: Both; does not add up over sessions, for the session of a sub-agent has a row of its own.
-- abandoned_cost_usd: Part of the session's counted cost that lies on no active branch.
-- failed_cost_usd: Part of the session's counted cost that failed requests took.
-- copied_cost_usd: Cost in this session's file that another session owns; not part of the others.
-- input_tokens: Prompt tokens that no cache held, as cost_usd counts.
-- output_tokens: Tokens written, as cost_usd counts; reasoning is part of them.
-- cache_read_tokens: Prompt tokens read from a cache, as cost_usd counts.
-- cache_write_tokens: Prompt tokens written to a cache, as cost_usd counts.
-- total_tokens: Sum of the four token counts.
-- unpriced_tokens: Tokens among them whose cost is not known.
-- request_count: Requests to the provider that the session owns, failed ones among them.
-- estimated_cost_usd: Estimate from a price table for rows without a recorded cost; never part of cost_usd.
-- machine: Machine whose disk holds the session.
-- name: Name given to the session.
with
  marked as (
    select
      usage.session_key as session_key,
      usage.is_counted,
      usage.is_counted
      and usage.source <> 'subagent' as is_own,
      usage.is_counted
      and usage.source = 'subagent' as is_subagent,
      usage.is_counted
      and records.is_abandoned as is_paid_in_vain,
      usage.is_counted
      and usage.is_failed as is_paid_for_failure,
      coalesce(usage.not_counted_reason, '') = 'copy' as is_copied,
      usage.request_count as requests,
      usage.input_tokens as tokens_in,
      usage.output_tokens as tokens_out,
      usage.cache_read_tokens as tokens_read,
      usage.cache_write_tokens as tokens_written,
      usage.summed_tokens as tokens_all,
      usage.unpriced_tokens as tokens_unpriced,
      usage.cost_usd as cost,
      usage.estimated_cost_usd as estimate
    from
      core.usage
      inner join core.records on records.session_key = usage.session_key
      and records.entry_seq = usage.entry_seq
  ),
  own as (
    select
      marked.session_key,
      sum(marked.cost) filter(
        where
          marked.is_counted
      ) as counted_cost,
      sum(marked.cost) filter(
        where
          marked.is_own
      ) as own_cost,
      sum(marked.cost) filter(
        where
          marked.is_subagent
      ) as subagent_cost,
      sum(marked.cost) filter(
        where
          marked.is_paid_in_vain
      ) as abandoned_cost,
      sum(marked.cost) filter(
        where
          marked.is_paid_for_failure
      ) as failed_cost,
      sum(marked.cost) filter(
        where
          marked.is_copied
      ) as copied_cost,
      sum(marked.tokens_in) filter(
        where
          marked.is_own
      ) as input_tokens,
      sum(marked.tokens_out) filter(
        where
          marked.is_own
      ) as output_tokens,
      sum(marked.tokens_read) filter(
        where
          marked.is_own
      ) as cache_read_tokens,
      sum(marked.tokens_written) filter(
        where
          marked.is_own
      ) as cache_write_tokens,
      sum(marked.tokens_all) filter(
        where
          marked.is_own
      ) as total_tokens,
      sum(marked.tokens_unpriced) filter(
        where
          marked.is_own
      ) as unpriced_tokens,
      sum(marked.requests) filter(
        where
          marked.is_own
      ) as request_count,
      sum(marked.estimate) filter(
        where
          marked.is_own
      ) as estimated_cost
    from
      marked
    group by
      marked.session_key
  ),
  delegated as (
    select
      delegations.session_key as session_key,
      sum(own.counted_cost) as child_cost
    from
      core.delegations
      inner join own on own.session_key = delegations.child_session_key
    group by
      delegations.session_key
  )
select
  sessions.session_key as session_key,
  sessions.session_id,
  sessions.project_path as project_path,
  sessions.started_at as started_at,
  coalesce(own.own_cost, 0)::decimal(18, 9) as cost_usd,
  (coalesce(own.subagent_cost, 0) + coalesce(delegated.child_cost, 0))::decimal(18, 9) as subagent_cost_usd,
  (
    coalesce(own.own_cost, 0) + coalesce(own.subagent_cost, 0) + coalesce(delegated.child_cost, 0)
  )::decimal(18, 9) as total_cost_usd,
  coalesce(own.abandoned_cost, 0)::decimal(18, 9) as abandoned_cost_usd,
  coalesce(own.failed_cost, 0)::decimal(18, 9) as failed_cost_usd,
  coalesce(own.copied_cost, 0)::decimal(18, 9) as copied_cost_usd,
  coalesce(own.input_tokens, 0)::bigint as input_tokens,
  coalesce(own.output_tokens, 0)::bigint as output_tokens,
  coalesce(own.cache_read_tokens, 0)::bigint as cache_read_tokens,
  coalesce(own.cache_write_tokens, 0)::bigint as cache_write_tokens,
  coalesce(own.total_tokens, 0)::bigint as total_tokens,
  coalesce(own.unpriced_tokens, 0)::bigint as unpriced_tokens,
  coalesce(own.request_count, 0)::bigint as request_count,
  coalesce(own.estimated_cost, 0)::decimal(18, 9) as estimated_cost_usd,
  sessions.machine as machine,
  sessions.name as name
from
  core.sessions
  left join own on own.session_key = sessions.session_key
  left join delegated on delegated.session_key = sessions.session_key
where
  not sessions.is_copy_only
