-- One row per session with what it holds, copied history and all branches
-- included. Sessions in which every record is a copy are left out; sessions whose
-- file is gone stay.
--
-- grain: session_key
--
-- session_key: Session.
-- name: Name given to the session, the last one.
-- first_prompt: First prompt, as typed.
-- project_path: Working directory in the session's header, or the project that the config file maps it to.
-- started_at: Time of the first entry that the session itself wrote, else of its header.
-- ended_at: Latest entry time.
-- entry_count: Entries in the session's tree.
-- request_count: Requests to a provider, failed ones among them.
-- reply_count: Requests that did not fail and gave content.
-- prompt_count: User messages.
-- tool_call_count: Tool calls of replies; calls inside other calls are not among them.
-- model_count: Models asked for, by provider and model.
-- branch_count: Branches: ends of the tree, and the last entry of the file.
-- compaction_count: Compactions.
-- parent_session_key: Session it was forked, cloned or started from, where that is loaded.
-- parent_link: How it hangs on its parent: fork, clone, child, child_fork or new.
-- session_id: Id in the session's header; not unique.
-- machine: Machine whose disk holds the session.
-- path: Path of the file.
-- is_present: False once the session's file is gone or holds another session.
-- project_name: Last part of project_path.
-- subagent_name: Sub-agent whose work it is, where its parent tells.
-- header_at: Time in the header; for a fork, when it was forked.
-- format_version: Version of the file format.
-- root_session_key: First session of the family.
-- generation: Steps from the first session of the family.
-- leaf_entry_id: Last entry of the file: where Pi would go on.
-- copied_entry_count: Entries that another session, or an earlier line of the file, owns.
-- failed_request_count: Requests that ended in an error or were aborted.
with
  entry_counts as (
    select
      entries.session_key,
      count(*) as entry_count,
      count(*) filter(
        where
          entries.is_copy
      ) as copied_entry_count,
      count(*) filter(
        where
          entries.entry_type = 'compaction'
      ) as compaction_count
    from
      core.entries
    group by
      entries.session_key
  ),
  message_counts as (
    select
      messages.session_key,
      count(*) filter(
        where
          messages.role = 'assistant'
      ) as request_count,
      count(*) filter(
        where
          messages.is_failed
      ) as failed_request_count,
      count(*) filter(
        where
          messages.is_reply
      ) as reply_count,
      count(*) filter(
        where
          messages.role = 'user'
      ) as prompt_count,
      min(
        case
          when messages.role = 'user'
          and messages.prompt is not null then messages.entry_seq
        end
      ) as first_prompt_seq
    from
      core.messages
    group by
      messages.session_key
  ),
  models as (
    select distinct
      messages.session_key,
      messages.provider,
      messages.model_id
    from
      core.messages
    where
      messages.role = 'assistant'
  ),
  model_counts as (
    select
      models.session_key,
      count(*) as model_count
    from
      models
    group by
      models.session_key
  ),
  call_counts as (
    select
      tool_calls.session_key,
      count(*) as tool_call_count
    from
      core.tool_calls
    where
      not tool_calls.is_nested
    group by
      tool_calls.session_key
  ),
  branch_counts as (
    select
      leaves.session_key,
      count(*) as branch_count
    from
      core.leaves
    group by
      leaves.session_key
  )
select
  sessions.session_key as session_key,
  sessions.name as name,
  messages.prompt as first_prompt,
  sessions.project_path as project_path,
  sessions.started_at as started_at,
  sessions.ended_at as ended_at,
  coalesce(entry_counts.entry_count, 0) as entry_count,
  coalesce(message_counts.request_count, 0) as request_count,
  coalesce(message_counts.reply_count, 0) as reply_count,
  coalesce(message_counts.prompt_count, 0) as prompt_count,
  coalesce(call_counts.tool_call_count, 0) as tool_call_count,
  coalesce(model_counts.model_count, 0) as model_count,
  coalesce(branch_counts.branch_count, 0) as branch_count,
  coalesce(entry_counts.compaction_count, 0) as compaction_count,
  sessions.parent_session_key,
  sessions.parent_link,
  sessions.session_id,
  sessions.machine as machine,
  sessions.path as path,
  sessions.is_present as is_present,
  sessions.project_name,
  sessions.subagent_name,
  sessions.header_at,
  sessions.format_version,
  sessions.root_session_key as root_session_key,
  sessions.generation,
  sessions.leaf_entry_id as leaf_entry_id,
  coalesce(entry_counts.copied_entry_count, 0) as copied_entry_count,
  coalesce(message_counts.failed_request_count, 0) as failed_request_count
from
  core.sessions
  left join entry_counts on entry_counts.session_key = sessions.session_key
  left join message_counts on message_counts.session_key = sessions.session_key
  left join model_counts on model_counts.session_key = sessions.session_key
  left join call_counts on call_counts.session_key = sessions.session_key
  left join branch_counts on branch_counts.session_key = sessions.session_key
  left join core.messages on messages.session_key = sessions.session_key
  and messages.entry_seq = message_counts.first_prompt_seq
where
  not sessions.is_copy_only
