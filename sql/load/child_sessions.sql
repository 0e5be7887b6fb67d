-- Of several editions of a sub-agent's session the first one stands for it, which owns its records too.
create or replace temp table child_sessions as
select
  child_session_texts.session_key,
  child_session_texts.entry_seq::integer as entry_seq,
  child_session_texts.usage_seq::integer as usage_seq,
  coalesce(first_edition.session_key, child_session_texts.child_session_key) as child_session_key
from
  child_session_texts
  inner join base.sessions on sessions.session_key = child_session_texts.child_session_key
  left join base.sessions as first_edition on first_edition.session_key = sessions.base_session_key
