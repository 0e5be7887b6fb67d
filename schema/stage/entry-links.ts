import { flag, name, nullable, small, table } from "../table.js";

export const entryLinks = table({
  name: "entry_links",
  description: "Facts of an entry that are known only at the end of its file.",
  key: ["file_id", "entry_seq"],
  timeColumn: null,
  columns: {
    file_id: name("File."),
    entry_seq: small("Entry."),
    parent_entry_seq: nullable(small("Parent.")),
    root_entry_seq: small("Root."),
    depth: small("Steps from the root."),
    tree_in: small("Nested set, entry."),
    tree_out: small("Nested set, exit."),
    child_count: small("Children."),
    is_orphan: flag("Parent named but missing."),
    is_jump: flag("Parent is not the entry before."),
    branch_leaf_seq: small("Leaf that owns the entry."),
    is_on_active_branch: flag("On the path to the last entry."),
    context_position: nullable(small("Place in the context.")),
    is_replaced: flag("Replaced by a context edit."),
    turn_entry_seq: nullable(small("Prompt of the turn: the nearest user message at or above the entry.")),
  },
});
