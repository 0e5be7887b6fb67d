import { placeColumns, recordColumns } from "./common.js";
import {
  day,
  derived,
  flag,
  instant,
  longText,
  name,
  nullable,
  path,
  small,
  table,
  text,
  whole,
} from "./table.js";

export const messages = table({
  name: "messages",
  description:
    "One row per entry with words or settings: messages, summaries, custom messages, labels, names, model and thinking level changes, context edits.",
  key: ["session_key", "entry_seq"],
  timeColumn: "entry_at",
  columns: {
    ...placeColumns,
    entry_id: name("Id of the entry."),
    ...recordColumns,
    entry_type: name("Type of the entry."),
    role: nullable(
      name(
        "Role in Pi's context: user, assistant, toolResult, bashExecution, custom, system, compactionSummary, branchSummary; NULL for settings.",
      ),
    ),
    entry_at: nullable(instant("When the entry was written; for a reply, when it ended.")),
    message_at: nullable(instant("Time of the message; for a reply, when its request started.")),
    occurred_on: derived(nullable(day("Day of entry_at in the warehouse's time zone."))),
    text: nullable(
      longText(
        "Text blocks joined by line feeds; summaries, shell output, label and name texts too. NULL for a tool result that tool_calls holds.",
      ),
    ),
    text_chars: whole("Length of the text in UTF-16 units, kept when the text is dropped."),
    thinking: nullable(longText("Thinking blocks joined by line feeds.")),
    thinking_chars: whole("Length of the thinking in UTF-16 units."),
    prompt: nullable(text("What the user typed: a skill call as /skill:name args, else the text.")),
    skill_name: nullable(name("Skill that the prompt calls.")),
    provider: nullable(name("Provider asked, or set by a model change.")),
    model_id: nullable(name("Model asked for, or set by a model change.")),
    response_model: nullable(name("Model that answered, where the reply names it.")),
    response_id: nullable(name("Provider's id of the response.")),
    api: nullable(name("Provider interface.")),
    thinking_level: nullable(name("Thinking level of the request, or set by a change.")),
    stop_reason: nullable(
      name("Why the reply ended: stop, length, toolUse, error, aborted, deferred, or another word."),
    ),
    raw_stop_reason: nullable(name("Stop reason in the provider's words.")),
    error_message: nullable(text("Error as written.")),
    error_message_normalized: nullable(
      text("Error with numbers, ids and addresses taken out, so that equal causes are equal texts."),
    ),
    error_class: nullable(
      name(
        "rate_limit, overloaded, auth, quota, context_length, network, server, aborted or other; NULL unless failed.",
      ),
    ),
    is_failed: flag("True for an assistant message that ended in error or was aborted."),
    is_reply: flag(
      "True for an assistant message that did not fail, is not deferred or pending, and has content.",
    ),
    is_retried: derived(
      nullable(flag("Failed requests: whether another request followed before the next prompt.")),
    ),
    retry_succeeded: derived(
      nullable(flag("Failed requests: whether one of those that followed gave a reply.")),
    ),
    duration_ms: nullable(
      whole("Time the message took: as written, else entry time less message time for replies."),
    ),
    block_count: small("Content blocks."),
    tool_call_count: small("Tool call blocks."),
    unknown_block_count: small(
      "Content blocks of a type that is not known; kept in the entry's payload_json.",
    ),
    image_count: small("Images."),
    image_bytes: whole("Size of the images, decoded; the images are not stored."),
    signature_bytes: whole("Size of opaque signatures, which are not stored."),
    tool_call_id: nullable(name("Call that a tool result answers.")),
    tool_name: nullable(name("Tool that a tool result comes from.")),
    is_error: nullable(flag("Tool results: whether the tool failed.")),
    command: nullable(text("Shell command that the user ran.")),
    exit_code: nullable(whole("Exit code of that command; NULL when cancelled.")),
    is_cancelled: nullable(flag("Whether that command was cancelled.")),
    is_excluded_from_context: nullable(flag("Whether that command was run with !! and is not sent.")),
    full_output_path: nullable(path("File that holds a tool's or command's whole output.")),
    custom_type: nullable(name("Type of a custom message.")),
    is_displayed: nullable(flag("Whether a custom message is shown.")),
    target_entry_id: nullable(name("Entry that a label or context edit is about.")),
    label: nullable(text("Text of a label; NULL where it clears one.")),
    has_label: nullable(flag("Labels: whether it sets a text or clears it; names of sessions likewise.")),
    is_omission: nullable(
      flag("Context edits: true where the target is left out, false where its content is replaced."),
    ),
    tokens_before: nullable(whole("Compactions: tokens in the context before it.")),
    first_kept_entry_id: nullable(name("Compactions: first entry that stays in the context.")),
    from_entry_id: nullable(
      name("Branch summaries: the entry written as fromId; its meaning changed in Pi 0.84."),
    ),
    is_from_extension: nullable(flag("Summaries: whether an extension wrote it.")),
  },
});
