import { beforeEach, describe, expect, it } from "vitest";

import { insertRows, queryRows } from "../support/warehouse-rows.js";
import { openWorld, type World } from "../support/world.js";

let world: World;

async function findings(): Promise<string[]> {
  const rows = await queryRows(world.connection, "from v1.data_quality order by all");
  return rows.map((row) => [row["kind"], row["detail"], row["occurrence_count"]].join(" "));
}

beforeEach(async () => {
  world = await openWorld();
});

describe("v1.data_quality", () => {
  it("is empty for a sound session", async () => {
    await world.session("a", [
      { id: "a1", role: "user" },
      { id: "a2", role: "assistant" },
    ]);
    await world.messages([{ session_key: "a", entry_seq: 2, role: "assistant", stop_reason: "stop" }]);
    await world.usage([
      {
        session_key: "a",
        entry_seq: 2,
        input_tokens: 1,
        output_tokens: 2,
        cache_read_tokens: 3,
        cache_write_tokens: 4,
        total_tokens: 10,
        cost_usd: 1,
      },
    ]);
    expect(await findings()).toEqual([]);
  });

  it("counts lines and files that were not taken", async () => {
    await insertRows(world.connection, "rejects", [
      { file_id: "f1", line_number: 4, reason: "invalid_json" },
      { file_id: "f1", line_number: 5, reason: "invalid_json" },
    ]);
    await insertRows(world.connection, "files", [
      { file_id: "f1", kind: "session", header_count: 3, is_present: true, pending_tail_bytes: 7 },
      { file_id: "f2", kind: "empty", skip_reason: "empty" },
      { file_id: "f3", kind: "not_a_session", skip_reason: "no_header" },
      { file_id: "f4", kind: "unreadable", unreadable_reason: "EACCES" },
    ]);
    expect(await findings()).toEqual([
      "pending_tail session 1",
      "rejected_line invalid_json 2",
      "second_header session 2",
      "skipped_file empty 1",
      "skipped_file no_header 1",
      "unreadable_file EACCES 1",
    ]);
  });

  it("counts words that Pi is not known to write, each record once", async () => {
    await world.session("a", [
      { id: "a1", columns: { entry_type: "agent_status" } },
      { id: "a2", role: "oracle" },
      { id: "a3", columns: { entry_type: "message" } },
      { id: "a4", role: "assistant" },
    ]);
    await world.session("fork", [{ id: "a1", columns: { entry_type: "agent_status", is_copy: true } }]);
    await world.messages([
      { session_key: "a", entry_seq: 4, role: "assistant", stop_reason: "vibes", unknown_block_count: 2 },
    ]);
    await world.usage([{ session_key: "a", entry_seq: 4, cost_usd: 1, input_tokens: 1 }]);
    expect(await findings()).toEqual([
      "unknown_block assistant 2",
      "unknown_entry_type agent_status 1",
      "unknown_role (missing) 1",
      "unknown_role oracle 1",
      "unknown_stop_reason vibes 1",
    ]);
  });

  it("counts orphans, repeated records and ids, and times that are none", async () => {
    await world.session("a", [
      { id: "a1", columns: { is_orphan: true } },
      { id: "a2" },
      { id: "a3", columns: { entry_id: "a2", record_key: "a2", is_copy: true } },
      { id: "a4", columns: { entry_id: "a2", record_key: "other" } },
      { id: "a5", columns: { entry_at: null } },
    ]);
    expect(await findings()).toEqual([
      "duplicate_id custom 1",
      "duplicate_record custom 1",
      "odd_time custom 1",
      "orphan custom 1",
    ]);
  });

  it("counts costs and token counts that are no amounts", async () => {
    await world.session("a", [
      { id: "a1", role: "assistant" },
      { id: "a2", role: "assistant" },
    ]);
    await world.messages([
      { session_key: "a", entry_seq: 1, role: "assistant" },
      { session_key: "a", entry_seq: 2, role: "assistant" },
    ]);
    const four = { input_tokens: 1, output_tokens: 1, cache_read_tokens: 1, cache_write_tokens: 1 };
    await world.usage([
      { session_key: "a", entry_seq: 1, ...four, cost_status: "invalid", total_tokens: 5 },
      { session_key: "a", entry_seq: 2, cost_status: "missing" },
      {
        session_key: "a",
        entry_seq: 2,
        usage_seq: 2,
        source: "tool_result",
        cost_usd: 1,
        tokens_raw: '{"input":"12"}',
        invalid_token_count: 1,
        replaced_cost_usd: 2,
      },
    ]);
    expect(await findings()).toEqual([
      "changed_cost tool_result 1",
      "invalid_cost assistant 1",
      "invalid_token_count tool_result 1",
      "missing_usage assistant 1",
      "total_tokens_mismatch assistant 1",
    ]);
  });

  it("counts copies that contradict the record they copy", async () => {
    const copy = { is_copy: true, not_counted_reason: "copy" };
    await world.session("a", [{ id: "a1" }, { id: "a2" }, { id: "a3" }]);
    await world.session("b", [
      { id: "a1", role: "user", columns: { is_copy: true } },
      { id: "a2", columns: { is_copy: true } },
      { id: "a3", columns: { is_copy: true } },
    ]);
    await world.usage([
      { session_key: "a", entry_seq: 2, entry_id: "a2", cost_usd: 1, input_tokens: 1 },
      { session_key: "b", entry_seq: 2, entry_id: "a2", cost_usd: 1, input_tokens: 2, ...copy },
      { session_key: "a", entry_seq: 3, entry_id: "a3", cost_usd: 1 },
      { session_key: "b", entry_seq: 3, entry_id: "a3", cost_usd: 1, model_id: "cheap", ...copy },
    ]);
    expect(await findings()).toEqual([
      "identity_conflict model 1",
      "identity_conflict role 1",
      "identity_conflict tokens 1",
    ]);
  });
});
