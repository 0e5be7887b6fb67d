-- What Pi would send now if each session went on: its last compaction and context
-- edits applied, entries that an edit omits and commands run with !! left out.
--
-- grain: session_key, context_position
--
-- session_key: Session.
-- context_position: Place in the context, from 1.
-- entry_id: Id of the entry.
-- role: Role in Pi's context: user, assistant, toolResult, bashExecution, custom, system, compactionSummary or branchSummary.
-- is_replaced: True where a context edit replaces the content that is sent.
-- entry_seq: Position of the entry in its session.
-- entry_type: Type of the entry as written.
-- is_copy: True where another row is the owner of the same record.
-- text_chars: Length of the text as written, in UTF-16 units.
-- image_count: Images as written.
select
  messages.session_key,
  messages.context_position,
  messages.entry_id,
  messages.role,
  messages.is_replaced,
  messages.entry_seq,
  messages.entry_type,
  messages.is_copy,
  messages.text_chars,
  messages.image_count
from
  core.messages
where
  messages.context_position is not null
