-- How often each skill is called by /skill:name, in how many sessions, and what
-- the turns cost that it started. Copies are left out.
--
-- grain: skill_name
--
-- skill_name: Skill.
-- call_count: Prompts that call it.
-- session_count: Sessions with such a prompt.
-- turn_cost_usd: Cost of the turns: each such prompt with all that followed up to the next prompt.
-- first_occurred_on: Day of the first call.
-- last_occurred_on: Day of the last call.
select
  messages.skill_name,
  count(*) as call_count,
  count(distinct messages.session_key) as session_count,
  coalesce(sum(turn_costs.turn_cost_usd), 0)::decimal(18, 9) as turn_cost_usd,
  min(messages.occurred_on) as first_occurred_on,
  max(messages.occurred_on) as last_occurred_on
from
  core.messages
  left join core.turn_costs on turn_costs.session_key = messages.session_key
  and turn_costs.turn_entry_seq = messages.entry_seq
where
  messages.skill_name is not null
  and not messages.is_copy
group by
  messages.skill_name
