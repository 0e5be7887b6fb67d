-- The rows of usage of each file, copies included and sub-agents left out, add up
-- to what Pi says of it. Files with counts or costs that are no amounts are left
-- out, since Pi adds them up as they are, and sums beyond the exact whole numbers
-- of a double, in which Pi adds up.
--
-- severity: full
with
  rows_of_pi as (
    select
      usage.session_key,
      usage.input_tokens,
      usage.output_tokens,
      usage.cache_read_tokens,
      usage.cache_write_tokens,
      usage.cost_usd
    from
      base.usage
      inner join base.entries on entries.session_key = usage.session_key
      and entries.entry_seq = usage.entry_seq
    where
      entries.root_entry_seq is not null
      and usage.source <> 'subagent'
  ),
  sums as (
    select
      rows_of_pi.session_key,
      sum(rows_of_pi.input_tokens) as input_tokens,
      sum(rows_of_pi.output_tokens) as output_tokens,
      sum(rows_of_pi.cache_read_tokens) as cache_read_tokens,
      sum(rows_of_pi.cache_write_tokens) as cache_write_tokens,
      sum(rows_of_pi.cost_usd) as cost_usd,
      count(*) as row_count
    from
      rows_of_pi
    group by
      rows_of_pi.session_key
    having
      count(*) filter(
        where
          rows_of_pi.input_tokens is null
          or rows_of_pi.output_tokens is null
          or rows_of_pi.cache_read_tokens is null
          or rows_of_pi.cache_write_tokens is null
          or rows_of_pi.cost_usd is null
      ) = 0
      and sum(rows_of_pi.input_tokens) < 9007199254740992
      and sum(rows_of_pi.output_tokens) < 9007199254740992
      and sum(rows_of_pi.cache_read_tokens) < 9007199254740992
      and sum(rows_of_pi.cache_write_tokens) < 9007199254740992
  )
select
  files.file_id,
  sums.input_tokens,
  files.pi_input_tokens,
  sums.output_tokens,
  files.pi_output_tokens,
  sums.cache_read_tokens,
  files.pi_cache_read_tokens,
  sums.cache_write_tokens,
  files.pi_cache_write_tokens,
  sums.cost_usd,
  files.pi_cost_usd
from
  base.files
  inner join base.sessions on sessions.session_key = files.session_key
  and sessions.file_id = files.file_id
  inner join sums on sums.session_key = sessions.session_key
where
  files.pi_is_comparable
  and (
    sums.input_tokens <> files.pi_input_tokens
    or sums.output_tokens <> files.pi_output_tokens
    or sums.cache_read_tokens <> files.pi_cache_read_tokens
    or sums.cache_write_tokens <> files.pi_cache_write_tokens
    or abs(sums.cost_usd::double - files.pi_cost_usd) > 1e-6 + sums.row_count * 1e-9
  )
