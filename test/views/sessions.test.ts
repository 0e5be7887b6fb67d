import { beforeEach, describe, expect, it } from "vitest";

import { insertRows, queryRows } from "../support/warehouse-rows.js";
import { openWorld, type World } from "../support/world.js";

let world: World;
const ask = (sql: string): Promise<Record<string, unknown>[]> => queryRows(world.connection, sql);

beforeEach(async () => {
  world = await openWorld();
});

describe("v1.sessions", () => {
  it("counts what a session holds, copied history included", async () => {
    await world.session("a", [
      { id: "a1", role: "user", columns: { is_copy: true } },
      { id: "a2", role: "assistant", columns: { is_copy: true } },
      { id: "a3", role: "user", under: "a2" },
      { id: "a4", role: "assistant" },
      { id: "a5", under: "a2", columns: { entry_type: "compaction" } },
    ]);
    await world.messages([
      { session_key: "a", entry_seq: 1, role: "user", prompt: null },
      {
        session_key: "a",
        entry_seq: 2,
        role: "assistant",
        provider: "acme",
        model_id: "good",
        is_reply: true,
      },
      { session_key: "a", entry_seq: 3, role: "user", prompt: "/skill:review the basket page" },
      {
        session_key: "a",
        entry_seq: 4,
        role: "assistant",
        provider: "acme",
        model_id: "cheap",
        is_failed: true,
      },
    ]);
    await world.calls([
      { session_key: "a", entry_seq: 2, call_index: 0 },
      { session_key: "a", entry_seq: 4, call_index: 1, parent_tool_call_id: "t1" },
    ]);
    expect(
      await ask(
        `select first_prompt, entry_count, request_count, reply_count, prompt_count, tool_call_count, model_count,
           branch_count, compaction_count, copied_entry_count, failed_request_count
         from v1.sessions`,
      ),
    ).toEqual([
      {
        first_prompt: "/skill:review the basket page",
        entry_count: "5",
        request_count: "2",
        reply_count: "1",
        prompt_count: "2",
        tool_call_count: "1",
        model_count: "2",
        branch_count: "2",
        compaction_count: "1",
        copied_entry_count: "2",
        failed_request_count: "1",
      },
    ]);
  });

  it("leaves out sessions that are all copies, keeps gone and empty ones", async () => {
    await world.session("export", [{ id: "a1" }], { is_copy_only: true });
    await world.session("gone", [{ id: "b1", columns: { is_present: false } }], { is_present: false });
    await world.session("header-only", []);
    expect(
      await ask("select session_key, entry_count, branch_count, is_present from v1.sessions order by 1"),
    ).toEqual([
      { session_key: "gone", entry_count: "1", branch_count: "1", is_present: false },
      { session_key: "header-only", entry_count: "0", branch_count: "0", is_present: true },
    ]);
  });

  it("counts no record that a later reading lacks", async () => {
    const kept = { root_entry_seq: null, depth: null, is_leaf: false, is_present: false };
    await world.session(
      "a",
      [
        { id: "a1", role: "user" },
        { id: "old", role: "user", columns: kept },
      ],
      {
        leaf_entry_seq: 1,
      },
    );
    await world.messages([
      { session_key: "a", entry_seq: 1, role: "user" },
      { session_key: "a", entry_seq: 2, role: "user", is_present: false },
    ]);
    expect(await ask("select entry_count, prompt_count, branch_count from v1.sessions")).toEqual([
      { entry_count: "1", prompt_count: "1", branch_count: "1" },
    ]);
  });
});

describe("v1.labels", () => {
  it("holds the last label of each entry in file order, unless that one clears it", async () => {
    await world.session("a", [{ id: "a1" }, { id: "l1" }, { id: "l2" }, { id: "l3" }, { id: "l4" }]);
    const label = { session_key: "a", entry_type: "label", has_label: true };
    await world.messages([
      { ...label, entry_seq: 2, target_entry_id: "a1", label: "draft" },
      { ...label, entry_seq: 3, target_entry_id: "a1", label: "good" },
      { ...label, entry_seq: 4, target_entry_id: "a2", label: "wrong" },
      { ...label, entry_seq: 5, target_entry_id: "a2", has_label: false },
    ]);
    expect(await ask("select session_key, target_entry_id, label, entry_seq from v1.labels")).toEqual([
      { session_key: "a", target_entry_id: "a1", label: "good", entry_seq: 3 },
    ]);
  });
});

describe("v1.context_entries", () => {
  it("lists what would be sent, with the role that Pi gives it", async () => {
    await world.session("a", [
      { id: "a1", role: "user" },
      { id: "a2", columns: { entry_type: "compaction", context_position: 1 } },
      { id: "a3", role: "user", columns: { context_position: 2, is_replaced: true } },
    ]);
    await world.messages([
      { session_key: "a", entry_seq: 1, entry_id: "a1", role: "user" },
      { session_key: "a", entry_seq: 2, entry_id: "a2", role: "compactionSummary" },
      { session_key: "a", entry_seq: 3, entry_id: "a3", role: "user" },
    ]);
    expect(
      await ask("select context_position, entry_id, role, is_replaced from v1.context_entries order by all"),
    ).toEqual([
      { context_position: 1, entry_id: "a2", role: "compactionSummary", is_replaced: false },
      { context_position: 2, entry_id: "a3", role: "user", is_replaced: true },
    ]);
  });
});

describe("v1.compactions", () => {
  it("shows each with its own cost, or none where the summary records none", async () => {
    await world.session("a", [{ id: "a1" }, { id: "c1" }, { id: "c2", under: "a1" }]);
    const compaction = { session_key: "a", entry_type: "compaction", role: "compactionSummary" };
    await world.messages([
      { ...compaction, entry_seq: 2, entry_id: "c1", tokens_before: 9_000, first_kept_entry_id: "a1" },
      { ...compaction, entry_seq: 3, entry_id: "c2", tokens_before: 700, is_from_extension: true },
    ]);
    await world.usage([{ session_key: "a", entry_seq: 2, source: "compaction", cost_usd: 0.16 }]);
    expect(
      await ask(
        `select entry_id, tokens_before, cost_usd, is_on_active_branch, first_kept_entry_id, is_from_extension
         from v1.compactions order by 1`,
      ),
    ).toEqual([
      {
        entry_id: "c1",
        tokens_before: "9000",
        cost_usd: "0.160000000",
        is_on_active_branch: false,
        first_kept_entry_id: "a1",
        is_from_extension: null,
      },
      {
        entry_id: "c2",
        tokens_before: "700",
        cost_usd: null,
        is_on_active_branch: true,
        first_kept_entry_id: null,
        is_from_extension: true,
      },
    ]);
  });
});

describe("v1.pi_session_totals", () => {
  it("repeats what was summed by Pi's rule, for files that hold a session", async () => {
    await insertRows(world.connection, "files", [
      {
        file_id: "f1",
        kind: "session",
        session_key: "a",
        path: "/a",
        pi_input_tokens: 1,
        pi_output_tokens: 20,
        pi_cache_read_tokens: 300,
        pi_cache_write_tokens: 4_000,
        pi_cost_usd: 0.1,
        pi_message_count: 3,
        pi_is_comparable: true,
      },
      { file_id: "f2", kind: "empty" },
    ]);
    expect(
      await ask(
        "select session_key, path, total_tokens, cost_usd, message_count, is_comparable from v1.pi_session_totals",
      ),
    ).toEqual([
      {
        session_key: "a",
        path: "/a",
        total_tokens: 4_321,
        cost_usd: 0.1,
        message_count: "3",
        is_comparable: true,
      },
    ]);
  });
});
