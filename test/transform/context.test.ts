import { describe, expect, it } from "vitest";
import { assistant, entry, message, user } from "../support/build-records.js";
import { readEntries } from "../support/read-rows.js";

/** Ids of what Pi would send, in order; a star marks replaced content. */
function sentIds(...records: unknown[]): string[] {
  const rows = readEntries(...records);
  return rows.entry_links
    .filter((link) => link["context_position"] !== null)
    .toSorted((a, b) => Number(a["context_position"]) - Number(b["context_position"]))
    .map((link) => {
      const id = rows.entries[Number(link["entry_seq"]) - 1]?.["entry_id"];
      return link["is_replaced"] === true ? `${id}*` : String(id);
    });
}

function compaction(id: string, parentId: string, fields: object) {
  return entry("compaction", id, parentId, { summary: "s", tokensBefore: 1, ...fields });
}

function edit(id: string, parentId: string, targetId: string, replacement: unknown) {
  return entry("context_edit", id, parentId, { targetId, replacement });
}

function system(id: string, parentId: string | null) {
  return message(id, parentId, { role: "system", content: "be brief" });
}

describe("what Pi would send", () => {
  it("is the branch of the last entry, without settings and hidden commands", () => {
    expect(
      sentIds(
        entry("model_change", "a1", null, {}),
        user("a2", "a1"),
        assistant("a3", "a2"),
        user("a4", "a2"),
        message("a5", "a4", { role: "bashExecution", command: "ls", excludeFromContext: true }),
        message("a6", "a5", { role: "bashExecution", command: "ls" }),
        entry("custom", "a7", "a6", {}),
        entry("custom_message", "a8", "a7", { content: "look" }),
        entry("label", "a9", "a8", { targetId: "a2", label: "x" }),
      ),
    ).toEqual(["a2", "a4", "a6", "a8"]);
  });

  it("starts with the last compaction, then what it keeps, then the rest", () => {
    expect(
      sentIds(
        system("a1", null),
        user("a2", "a1"),
        compaction("a3", "a2", { firstKeptEntryId: "a2" }),
        user("a4", "a3"),
        assistant("a5", "a4"),
        compaction("a6", "a5", { firstKeptEntryId: "a2" }),
        user("a7", "a6"),
      ),
    ).toEqual(["a6", "a2", "a4", "a5", "a7"]);
  });

  it("keeps system messages only where the compaction has none of its own", () => {
    const kept = [system("a1", null), user("a2", "a1")];
    expect(sentIds(...kept, compaction("a3", "a2", { firstKeptEntryId: "a1" }))).toEqual(["a3", "a1", "a2"]);
    const own = { firstKeptEntryId: "a1", systemMessage: { role: "system", content: "be brief" } };
    expect(sentIds(...kept, compaction("a3", "a2", own))).toEqual(["a3", "a2"]);
  });

  it("keeps nothing before a compaction whose first kept entry is itself or unknown", () => {
    for (const firstKeptEntryId of ["a2", "gone", undefined]) {
      expect(sentIds(user("a1", null), compaction("a2", "a1", { firstKeptEntryId }))).toEqual(["a2"]);
    }
  });

  it("does not see compactions of other branches", () => {
    expect(
      sentIds(user("a1", null), compaction("a2", "a1", { firstKeptEntryId: "a1" }), assistant("a3", "a1")),
    ).toEqual(["a1", "a3"]);
  });

  it("leaves out or replaces what the last edit of its branch says", () => {
    expect(
      sentIds(
        user("a1", null),
        assistant("a2", "a1"),
        assistant("a3", "a2"),
        edit("a4", "a3", "a2", null),
        edit("a5", "a4", "a3", null),
        edit("a6", "a5", "a3", { content: "edited" }),
        edit("b1", "a1", "a1", null),
        user("a7", "a6"),
      ),
    ).toEqual(["a1", "a3*", "a7"]);
  });

  it("does not let edits touch summaries", () => {
    expect(
      sentIds(
        user("a1", null),
        entry("branch_summary", "a2", "a1", { summary: "s" }),
        edit("a3", "a2", "a2", null),
      ),
    ).toEqual(["a1", "a2"]);
  });

  it("ends at a missing parent, as Pi's branch does", () => {
    expect(sentIds(user("a1", null), user("a2", "gone"), assistant("a3", "a2"))).toEqual(["a2", "a3"]);
  });
});
