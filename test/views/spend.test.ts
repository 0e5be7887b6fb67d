import { beforeEach, describe, expect, it } from "vitest";
import { queryRows } from "../support/warehouse-rows.js";
import { openWorld, PROJECT, type World } from "../support/world.js";

let world: World;
const ask = (sql: string): Promise<Record<string, unknown>[]> => queryRows(world.connection, sql);

beforeEach(async () => {
  world = await openWorld();
});

describe("v1.spend_daily", () => {
  it("counts each fact once, and failed requests with what they cost", async () => {
    await world.session("a", [{ id: "a1" }, { id: "a2" }, { id: "a3" }]);
    await world.session("fork", [{ id: "a1" }]);
    await world.usage([
      { session_key: "a", entry_seq: 1, input_tokens: 10, output_tokens: 5, cost_usd: 0.1 },
      { session_key: "a", entry_seq: 2, input_tokens: 7, cost_usd: 0.2, is_failed: true },
      { session_key: "a", entry_seq: 3, source: "compaction", cache_read_tokens: 3, cost_usd: 0.05 },
      {
        session_key: "fork",
        entry_seq: 1,
        input_tokens: 10,
        cost_usd: 0.1,
        is_copy: true,
        not_counted_reason: "copy",
      },
    ]);
    expect(await ask("from v1.spend_daily order by source")).toEqual([
      {
        spent_on: "2026-01-05",
        machine: "desk",
        project_path: PROJECT,
        provider: "acme",
        model_id: "good",
        source: "assistant",
        request_count: "2",
        failed_request_count: "1",
        input_tokens: "17",
        output_tokens: "5",
        cache_read_tokens: "0",
        cache_write_tokens: "0",
        cost_usd: "0.300000000",
        estimated_cost_usd: "0.000000000",
        unpriced_tokens: "0",
        reasoning_tokens: "0",
        total_tokens: "22",
      },
      expect.objectContaining({
        source: "compaction",
        request_count: "0",
        cost_usd: "0.050000000",
        total_tokens: "3",
      }),
    ]);
  });

  it("shows what a carrier doesn't name as (unknown) and keeps a day that is none as NULL", async () => {
    await world.session("a", [{ id: "a1" }], { project_path: null });
    await world.usage([
      { session_key: "a", entry_seq: 1, provider: null, model_id: null, occurred_on: null, cost_usd: 1 },
    ]);
    expect(await ask("select spent_on, project_path, provider, model_id from v1.spend_daily")).toEqual([
      { spent_on: null, project_path: "(unknown)", provider: "(unknown)", model_id: "(unknown)" },
    ]);
  });

  it("keeps counting records that a later reading lacks, and sessions whose file is gone", async () => {
    const kept = { root_entry_seq: null, depth: null, is_present: false };
    await world.session("a", [{ id: "a1" }, { id: "a2", columns: kept }]);
    await world.session("gone", [{ id: "b1" }], { is_present: false });
    await world.usage([
      { session_key: "a", entry_seq: 2, cost_usd: 1, is_present: false },
      { session_key: "gone", entry_seq: 1, cost_usd: 2, is_present: false },
    ]);
    expect(await ask("select request_count, cost_usd from v1.spend_daily")).toEqual([
      { request_count: "2", cost_usd: "3.000000000" },
    ]);
  });
});

describe("unpriced tokens", () => {
  const carriers = [
    { cost_status: "recorded", cost_usd: 1, input_tokens: 1 },
    { cost_status: "zero", cost_usd: 0, input_tokens: 2_000, output_tokens: 100, cache_read_tokens: 10 },
    { cost_status: "missing", input_tokens: 20_000 },
    { cost_status: "invalid", output_tokens: 300_000 },
    { cost_status: "zero", cost_usd: 0, price_source: "local_address", cache_write_tokens: 4_000_000 },
    ...["free", "free:response_model", "models_json", "genai_prices", "genai_prices:response_model"].map(
      (source) => ({
        cost_status: "zero",
        cost_usd: 0,
        price_source: source,
        estimated_cost_usd: 0,
        input_tokens: 5,
      }),
    ),
    {
      cost_status: "zero",
      cost_usd: 0,
      price_source: "genai_prices",
      estimated_cost_usd: 2,
      input_tokens: 50_000_000,
    },
  ];

  it("are those without a cost, and those at 0 by a model that is not known to be free", async () => {
    await world.session("a", [{ id: "a1" }]);
    await world.usage(
      carriers.map((carrier, index) => ({ session_key: "a", entry_seq: index + 1, ...carrier })),
    );
    const unpriced = String(2_110 + 20_000 + 300_000 + 4_000_000 + 50_000_000);
    expect(await ask("select unpriced_tokens, estimated_cost_usd from v1.spend_by_model")).toEqual([
      { unpriced_tokens: unpriced, estimated_cost_usd: "2.000000000" },
    ]);
    expect(
      await ask("select provider, model_id, unpriced_tokens, carrier_count from v1.unpriced_usage"),
    ).toEqual([{ provider: "acme", model_id: "good", unpriced_tokens: unpriced, carrier_count: "5" }]);
  });
});

describe("v1.spend_by_model and v1.spend_by_project", () => {
  it("give each its share and the days between which it was used", async () => {
    await world.session("a", [{ id: "a1" }]);
    await world.usage([
      { session_key: "a", entry_seq: 1, cost_usd: 3, input_tokens: 1, occurred_on: "2026-01-05" },
      {
        session_key: "a",
        entry_seq: 2,
        cost_usd: 0,
        cost_status: "zero",
        occurred_on: "2026-01-07",
        input_tokens: 1,
      },
      { session_key: "a", entry_seq: 3, cost_usd: 1, input_tokens: 6, model_id: "cheap" },
    ]);
    expect(
      await ask(
        "select model_id, cost_share, token_share, first_spent_on, last_spent_on from v1.spend_by_model order by 1",
      ),
    ).toEqual([
      {
        model_id: "cheap",
        cost_share: 0.25,
        token_share: 0.75,
        first_spent_on: "2026-01-05",
        last_spent_on: "2026-01-05",
      },
      {
        model_id: "good",
        cost_share: 0.75,
        token_share: 0.25,
        first_spent_on: "2026-01-05",
        last_spent_on: "2026-01-07",
      },
    ]);
    expect(await ask("select project_path, cost_usd, cost_share from v1.spend_by_project")).toEqual([
      { project_path: PROJECT, cost_usd: "4.000000000", cost_share: 1 },
    ]);
  });

  it("have no share where nothing cost anything", async () => {
    await world.session("a", [{ id: "a1" }]);
    await world.usage([{ session_key: "a", entry_seq: 1, cost_status: "missing" }]);
    expect(await ask("select cost_share, token_share from v1.spend_by_model")).toEqual([
      { cost_share: null, token_share: null },
    ]);
  });
});

describe("v1.spend_by_session", () => {
  it("keeps sub-agents apart, at any depth, and adds up to usage without them", async () => {
    await world.session("parent", [{ id: "p1" }, { id: "p2" }]);
    await world.session("child", [{ id: "c1" }], { parent_session_key: "parent", parent_link: "child" });
    await world.session("grandchild", [{ id: "g1" }], {
      parent_session_key: "child",
      parent_link: "child_fork",
    });
    await world.session("fork", [{ id: "f1" }], { parent_session_key: "parent", parent_link: "fork" });
    await world.usage([
      { session_key: "parent", entry_seq: 1, cost_usd: 0.03 },
      {
        session_key: "parent",
        entry_seq: 2,
        cost_usd: 0.3,
        source: "tool_result",
        not_counted_reason: "child_session",
      },
      { session_key: "parent", entry_seq: 2, usage_seq: 2, cost_usd: 0.12, source: "subagent" },
      { session_key: "child", entry_seq: 1, cost_usd: 0.3 },
      { session_key: "grandchild", entry_seq: 1, cost_usd: 0.5 },
      { session_key: "fork", entry_seq: 1, cost_usd: 7 },
    ]);
    expect(
      await ask(
        "select session_key, cost_usd, subagent_cost_usd, total_cost_usd from v1.spend_by_session order by 1",
      ),
    ).toEqual([
      {
        session_key: "child",
        cost_usd: "0.300000000",
        subagent_cost_usd: "0.500000000",
        total_cost_usd: "0.800000000",
      },
      {
        session_key: "fork",
        cost_usd: "7.000000000",
        subagent_cost_usd: "0.000000000",
        total_cost_usd: "7.000000000",
      },
      {
        session_key: "grandchild",
        cost_usd: "0.500000000",
        subagent_cost_usd: "0.000000000",
        total_cost_usd: "0.500000000",
      },
      {
        session_key: "parent",
        cost_usd: "0.030000000",
        subagent_cost_usd: "0.920000000",
        total_cost_usd: "0.950000000",
      },
    ]);
  });

  it("tells abandoned, failed and copied cost apart, and leaves out sessions that are all copies", async () => {
    await world.session("a", [{ id: "a1" }, { id: "a2", under: "a1" }, { id: "a3", under: "a1" }]);
    await world.session("export", [{ id: "a1" }], { is_copy_only: true });
    await world.session("empty", []);
    const copy = { is_copy: true, not_counted_reason: "copy" };
    await world.usage([
      { session_key: "a", entry_seq: 1, cost_usd: 1, ...copy },
      { session_key: "a", entry_seq: 2, cost_usd: 2, input_tokens: 5 },
      { session_key: "a", entry_seq: 3, cost_usd: 4, is_failed: true, input_tokens: 6 },
      { session_key: "export", entry_seq: 1, cost_usd: 1, ...copy },
    ]);
    expect(
      await ask(
        `select session_key, cost_usd, abandoned_cost_usd, failed_cost_usd, copied_cost_usd, input_tokens, request_count
         from v1.spend_by_session order by 1`,
      ),
    ).toEqual([
      {
        session_key: "a",
        cost_usd: "6.000000000",
        abandoned_cost_usd: "2.000000000",
        failed_cost_usd: "4.000000000",
        copied_cost_usd: "1.000000000",
        input_tokens: "11",
        request_count: "2",
      },
      {
        session_key: "empty",
        cost_usd: "0.000000000",
        abandoned_cost_usd: "0.000000000",
        failed_cost_usd: "0.000000000",
        copied_cost_usd: "0.000000000",
        input_tokens: "0",
        request_count: "0",
      },
    ]);
  });

  it("ends where sessions are each other's parents", async () => {
    await world.session("a", [{ id: "a1" }], { parent_session_key: "b", parent_link: "child" });
    await world.session("b", [{ id: "b1" }], { parent_session_key: "a", parent_link: "child" });
    await world.usage([
      { session_key: "a", entry_seq: 1, cost_usd: 1 },
      { session_key: "b", entry_seq: 1, cost_usd: 2 },
    ]);
    expect(await ask("select session_key, total_cost_usd from v1.spend_by_session order by 1")).toEqual([
      { session_key: "a", total_cost_usd: "3.000000000" },
      { session_key: "b", total_cost_usd: "3.000000000" },
    ]);
  });
});

describe("v1.session_families", () => {
  it("shows each member its own cost and that of all", async () => {
    await world.session("a", [{ id: "a1" }]);
    await world.session("b", [{ id: "b1" }], {
      root_session_key: "a",
      generation: 1,
      parent_session_key: "a",
    });
    await world.session("c", []);
    await world.usage([
      { session_key: "a", entry_seq: 1, cost_usd: 0.03 },
      { session_key: "b", entry_seq: 1, cost_usd: 0.3 },
    ]);
    expect(
      await ask(
        "select session_key, root_session_key, generation, own_cost_usd, family_cost_usd from v1.session_families order by 1",
      ),
    ).toEqual([
      {
        session_key: "a",
        root_session_key: "a",
        generation: 0,
        own_cost_usd: "0.030000000",
        family_cost_usd: "0.330000000",
      },
      {
        session_key: "b",
        root_session_key: "a",
        generation: 1,
        own_cost_usd: "0.300000000",
        family_cost_usd: "0.330000000",
      },
      {
        session_key: "c",
        root_session_key: "c",
        generation: 0,
        own_cost_usd: "0.000000000",
        family_cost_usd: "0.000000000",
      },
    ]);
  });
});
