create or replace temp table child_sessions as
select
  child_session_texts.session_key,
  child_session_texts.entry_seq::integer as entry_seq,
  child_session_texts.usage_seq::integer as usage_seq,
  child_session_texts.child_session_key
from
  child_session_texts
