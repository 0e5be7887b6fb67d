-- What each turn cost: a prompt with all that follows up to the next prompt,
-- replies, tools and sub-agents.
--
-- grain: session_key, turn_entry_seq
select
  usage.session_key as session_key,
  entries.turn_entry_seq as turn_entry_seq,
  coalesce(sum(usage.cost_usd), 0)::decimal(18, 9) as turn_cost_usd
from
  core.usage
  inner join core.entries on entries.session_key = usage.session_key
  and entries.entry_seq = usage.entry_seq
where
  usage.is_counted
  and entries.turn_entry_seq is not null
group by
  usage.session_key,
  entries.turn_entry_seq
