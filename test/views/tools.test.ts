import { beforeEach, describe, expect, it } from "vitest";

import { queryRows } from "../support/warehouse-rows.js";
import { openWorld, type World } from "../support/world.js";

let world: World;
const ask = (sql: string): Promise<Record<string, unknown>[]> => queryRows(world.connection, sql);

beforeEach(async () => {
  world = await openWorld();
  await world.session("a", [
    { id: "a1", role: "user" },
    { id: "a2", role: "assistant" },
    { id: "a3", role: "toolResult" },
    { id: "a4", role: "assistant" },
    { id: "a5", role: "user" },
    { id: "a6", role: "assistant" },
  ]);
  await world.session("fork", [
    { id: "a1", role: "user" },
    { id: "a2", role: "assistant" },
  ]);
  await world.usage([
    { session_key: "a", entry_seq: 2, cost_usd: 0.1 },
    { session_key: "a", entry_seq: 3, cost_usd: 0.02, source: "tool_result" },
    { session_key: "a", entry_seq: 4, cost_usd: 0.003 },
    { session_key: "a", entry_seq: 6, cost_usd: 4 },
    { session_key: "fork", entry_seq: 2, cost_usd: 0.1, is_copy: true, not_counted_reason: "copy" },
  ]);
});

describe("v1.tool_usage", () => {
  it("charges a tool with the whole turns that called it, each once", async () => {
    await world.calls([
      { session_key: "a", entry_seq: 2, call_index: 0, tool_name: "read" },
      { session_key: "a", entry_seq: 2, call_index: 1, tool_name: "read" },
      { session_key: "a", entry_seq: 4, call_index: 0, tool_name: "bash" },
      { session_key: "a", entry_seq: 6, call_index: 0, tool_name: "bash" },
      { session_key: "fork", entry_seq: 2, call_index: 0, tool_name: "read", is_copy: true },
    ]);
    expect(
      await ask(
        "select tool_name, call_count, session_count, turn_count, turn_cost_usd from v1.tool_usage order by 1",
      ),
    ).toEqual([
      {
        tool_name: "bash",
        call_count: "2",
        session_count: "1",
        turn_count: "2",
        turn_cost_usd: "4.123000000",
      },
      {
        tool_name: "read",
        call_count: "2",
        session_count: "1",
        turn_count: "1",
        turn_cost_usd: "0.123000000",
      },
    ]);
  });
});

describe("v1.skill_usage", () => {
  it("charges a skill with the turns that its prompts started", async () => {
    const prompt = { role: "user", skill_name: "review" };
    await world.messages([
      { session_key: "a", entry_seq: 1, ...prompt },
      { session_key: "a", entry_seq: 5, role: "user" },
      { session_key: "fork", entry_seq: 1, ...prompt, is_copy: true },
    ]);
    expect(
      await ask("select skill_name, call_count, session_count, turn_cost_usd from v1.skill_usage"),
    ).toEqual([{ skill_name: "review", call_count: "1", session_count: "1", turn_cost_usd: "0.123000000" }]);
  });
});
