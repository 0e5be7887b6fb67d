-- How much of the usage of such sub-agents is in no session that the lake holds:
-- what a session reports beyond what the sub-agent's own file tells.
--
-- grain: lake_machine, session_key, entry_seq, usage_seq
--
-- is_held_whole: True where nothing is left.
with
  remainders as (
    select
      claimed_children.lake_machine as lake_machine,
      claimed_children.session_key as session_key,
      claimed_children.entry_seq as entry_seq,
      claimed_children.usage_seq as usage_seq,
      claimed_children.child_session_key as child_session_key,
      case
        when usage.input_tokens > coalesce(child_holds.input_tokens, 0) then (usage.input_tokens - coalesce(child_holds.input_tokens, 0))::bigint
        when usage.input_tokens is not null then 0::bigint
      end as left_input_tokens,
      case
        when usage.output_tokens > coalesce(child_holds.output_tokens, 0) then (usage.output_tokens - coalesce(child_holds.output_tokens, 0))::bigint
        when usage.output_tokens is not null then 0::bigint
      end as left_output_tokens,
      case
        when usage.cache_read_tokens > coalesce(child_holds.cache_read_tokens, 0) then (usage.cache_read_tokens - coalesce(child_holds.cache_read_tokens, 0))::bigint
        when usage.cache_read_tokens is not null then 0::bigint
      end as left_cache_read_tokens,
      case
        when usage.cache_write_tokens > coalesce(child_holds.cache_write_tokens, 0) then (usage.cache_write_tokens - coalesce(child_holds.cache_write_tokens, 0))::bigint
        when usage.cache_write_tokens is not null then 0::bigint
      end as left_cache_write_tokens,
      case
        when usage.cost_usd > coalesce(child_holds.cost_usd, 0) then (usage.cost_usd - coalesce(child_holds.cost_usd, 0))::decimal(18, 9)
        when usage.cost_usd is not null then 0::decimal(18, 9)
      end as left_cost_usd
    from
      lake.claimed_children
      inner join lake.usage on usage.lake_machine = claimed_children.lake_machine
      and usage.session_key = claimed_children.session_key
      and usage.entry_seq = claimed_children.entry_seq
      and usage.usage_seq = claimed_children.usage_seq
      left join lake.child_holds on child_holds.session_key = claimed_children.child_session_key
  )
select
  remainders.lake_machine,
  remainders.session_key,
  remainders.entry_seq,
  remainders.usage_seq,
  remainders.child_session_key,
  remainders.left_input_tokens,
  remainders.left_output_tokens,
  remainders.left_cache_read_tokens,
  remainders.left_cache_write_tokens,
  remainders.left_cost_usd,
  coalesce(remainders.left_input_tokens, 0) = 0
  and coalesce(remainders.left_output_tokens, 0) = 0
  and coalesce(remainders.left_cache_read_tokens, 0) = 0
  and coalesce(remainders.left_cache_write_tokens, 0) = 0
  and coalesce(remainders.left_cost_usd, 0) = 0 as is_held_whole
from
  remainders
