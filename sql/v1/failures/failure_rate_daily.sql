-- How often requests fail, by day and model, with why. Each request counts once:
-- copies are left out.
--
-- grain: occurred_on, provider, model_id
--
-- occurred_on: Day the request ended, in the warehouse's time zone; NULL where its time is none.
-- provider: Provider asked; (unknown) where the reply names none.
-- model_id: Model asked for; (unknown) where the reply names none.
-- request_count: Requests, failed ones among them.
-- failed_request_count: Requests that ended in an error or were aborted.
-- rate_limit_count: Failed for too many requests or tokens in a time.
-- overloaded_count: Failed because the provider had no capacity.
-- auth_count: Failed for a missing or refused key.
-- quota_count: Failed because credit or quota was used up.
-- context_length_count: Failed because the prompt was too long.
-- network_count: Failed on the way: connection, name lookup, time-out.
-- server_count: Failed by an error of the provider.
-- aborted_count: Aborted by the user or the program.
-- other_count: Failed for another reason.
-- failure_share: Failed requests as a part of all, 0 to 1.
-- retried_count: Failed requests that another one followed before the next prompt.
-- retry_succeeded_count: Failed requests after which one of those gave a reply.
-- failed_cost_usd: Cost of the failed requests, as Pi recorded it.
with
  counts as (
    select
      requests.occurred_on,
      requests.provider,
      requests.model_id,
      count(*) as request_count,
      count(*) filter(
        where
          requests.is_failed
      ) as failed_request_count,
      count(*) filter(
        where
          requests.error_class = 'rate_limit'
      ) as rate_limit_count,
      count(*) filter(
        where
          requests.error_class = 'overloaded'
      ) as overloaded_count,
      count(*) filter(
        where
          requests.error_class = 'auth'
      ) as auth_count,
      count(*) filter(
        where
          requests.error_class = 'quota'
      ) as quota_count,
      count(*) filter(
        where
          requests.error_class = 'context_length'
      ) as context_length_count,
      count(*) filter(
        where
          requests.error_class = 'network'
      ) as network_count,
      count(*) filter(
        where
          requests.error_class = 'server'
      ) as server_count,
      count(*) filter(
        where
          requests.error_class = 'aborted'
      ) as aborted_count,
      count(*) filter(
        where
          requests.is_failed
          and requests.error_class not in (
            'rate_limit',
            'overloaded',
            'auth',
            'quota',
            'context_length',
            'network',
            'server',
            'aborted'
          )
      ) as other_count,
      count(*) filter(
        where
          requests.is_failed
          and requests.is_retried
      ) as retried_count,
      count(*) filter(
        where
          requests.is_failed
          and requests.retry_succeeded
      ) as retry_succeeded_count,
      sum(
        case
          when requests.is_failed then requests.cost_usd
        end
      ) as failed_cost
    from
      core.requests
    where
      not requests.is_copy
    group by
      requests.occurred_on,
      requests.provider,
      requests.model_id
  )
select
  counts.occurred_on,
  counts.provider,
  counts.model_id,
  counts.request_count,
  counts.failed_request_count,
  counts.rate_limit_count,
  counts.overloaded_count,
  counts.auth_count,
  counts.quota_count,
  counts.context_length_count,
  counts.network_count,
  counts.server_count,
  counts.aborted_count,
  counts.other_count,
  counts.failed_request_count::double / nullif(counts.request_count::double, 0) as failure_share,
  counts.retried_count,
  counts.retry_succeeded_count,
  coalesce(counts.failed_cost, 0)::decimal(18, 9) as failed_cost_usd
from
  counts
