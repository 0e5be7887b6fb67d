import { placeColumns, recordColumns } from "./common.js";
import { derived, flag, instant, longText, name, nullable, small, table, text, whole } from "./table.js";

export const entries = table({
  name: "entries",
  description: "One row per record of a session file after its header, copies and unknown types included.",
  key: ["session_key", "entry_seq"],
  timeColumn: "entry_at",
  columns: {
    ...placeColumns,
    entry_id: name("Id of the entry; made from position and content where the file has none."),
    parent_entry_id: nullable(
      name("Id of the parent as written; the entry before where the file has no ids."),
    ),
    parent_entry_seq: derived(nullable(small("Position of the parent, NULL for roots and orphans."))),
    root_entry_seq: derived(nullable(small("Position of the root above the entry."))),
    ...recordColumns,
    own_record_key: name("Identity by id and time alone, before records without common ids are joined."),
    has_entry_id: flag("True where the file itself gives the entry an id."),
    entry_type: name("Type of the entry as written."),
    role: nullable(name("Role of the message, for entries of type message.")),
    entry_at: nullable(instant("When the entry was written; for a reply, when it ended.")),
    entry_at_raw: nullable(text("Time as written where it is no instant between 1970-01-02 and 2099-12-31.")),
    message_at: nullable(instant("Time of the message; for a reply, when its request started.")),
    tool_call_id: nullable(name("Call that a tool result answers.")),
    content_hash: nullable(name("Hash of what the record says, made before content is dropped.")),
    label_hash: nullable(
      name("Hash of a label's target and text, by which labels that a fork made anew are matched."),
    ),
    line_number: small("Line in the file, from 1."),
    byte_offset: whole("Where the line starts in the file, in bytes."),
    line_bytes: whole("Length of the line without its end, in bytes."),
    depth: derived(nullable(small("Steps from the root; 0 for a root."))),
    tree_in: derived(
      nullable(small("Nested set: a lies above b when a.tree_in <= b.tree_in and b.tree_out <= a.tree_out.")),
    ),
    tree_out: derived(nullable(small("Nested set: the other end."))),
    child_count: derived(small("Entries that hang directly under this one.")),
    is_leaf: derived(flag("True without children.")),
    is_orphan: derived(flag("True where the parent is named but not in the file.")),
    is_jump: derived(
      flag(
        "True where the parent is in the file and is not the entry before, and for roots after the first.",
      ),
    ),
    branch_leaf_seq: derived(
      nullable(small("Leaf whose branch owns the entry: the active one first, then the earliest.")),
    ),
    is_on_active_branch: derived(flag("True on the path from the last entry of the file to its root.")),
    is_abandoned: derived(flag("True where no session that holds the record has it on its active branch.")),
    context_position: derived(
      nullable(small("Place in what Pi would send now, from 1; NULL where left out.")),
    ),
    is_replaced: derived(flag("True where a context edit replaces the content that is sent.")),
    owner_rank: derived(name("Sorts as the owner rule does; the lowest of a record_key is its owner.")),
    owner_session_key: derived(name("Session that owns the record.")),
    payload_json: nullable(longText("Whatever of the record no column holds, as JSON.")),
    turn_entry_seq: derived(
      nullable(small("Prompt whose turn the entry is part of: the nearest user message at or above it.")),
    ),
  },
});
