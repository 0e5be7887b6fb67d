import { beforeEach, describe, expect, it } from "vitest";

import { queryRows } from "../support/warehouse-rows.js";
import { openWorld, type World } from "../support/world.js";

let world: World;
const ask = (sql: string): Promise<Record<string, unknown>[]> => queryRows(world.connection, sql);

beforeEach(async () => {
  world = await openWorld();
});

/**
 *     a1 - a2 - a3            left first
 *             \ a4 - a5       left second
 *     r1 - r2                 a second root, where the file ends
 */
const twoRoots = [
  { id: "a1" },
  { id: "a2" },
  { id: "a3" },
  { id: "a4", under: "a2" },
  { id: "a5" },
  { id: "r1", under: null },
  { id: "r2" },
];

describe("v1.branches", () => {
  it("gives shared entries to the earliest branch and tells where the others leave it", async () => {
    await world.session("a", twoRoots);
    await world.usage([
      { session_key: "a", entry_seq: 2, cost_usd: 0.01 },
      { session_key: "a", entry_seq: 3, cost_usd: 0.02 },
      { session_key: "a", entry_seq: 5, cost_usd: 0.04 },
      { session_key: "a", entry_seq: 7, cost_usd: 0.08 },
      { session_key: "a", entry_seq: 7, usage_seq: 2, cost_usd: 5, not_counted_reason: "aggregate" },
    ]);
    expect(
      await ask(
        `select leaf_entry_id, is_active, root_entry_id, branch_point_entry_id, entry_count, own_entry_count, own_cost_usd,
           second(started_at) as from_second, second(ended_at) as to_second
         from v1.branches order by leaf_entry_seq`,
      ),
    ).toEqual([
      {
        leaf_entry_id: "a3",
        is_active: false,
        root_entry_id: "a1",
        branch_point_entry_id: null,
        entry_count: "3",
        own_entry_count: "3",
        own_cost_usd: "0.030000000",
        from_second: "1",
        to_second: "3",
      },
      {
        leaf_entry_id: "a5",
        is_active: false,
        root_entry_id: "a1",
        branch_point_entry_id: "a2",
        entry_count: "4",
        own_entry_count: "2",
        own_cost_usd: "0.040000000",
        from_second: "4",
        to_second: "5",
      },
      {
        leaf_entry_id: "r2",
        is_active: true,
        root_entry_id: "r1",
        branch_point_entry_id: null,
        entry_count: "2",
        own_entry_count: "2",
        own_cost_usd: "0.080000000",
        from_second: "6",
        to_second: "7",
      },
    ]);
  });

  it("has a row for the last entry of the file even where that has children", async () => {
    await world.session("a", [{ id: "a1" }, { id: "a2" }], { leaf_entry_id: "a1", leaf_entry_seq: 1 });
    expect(await ask("select leaf_entry_id, is_active, own_entry_count from v1.branches order by 1")).toEqual(
      [
        { leaf_entry_id: "a1", is_active: true, own_entry_count: "0" },
        { leaf_entry_id: "a2", is_active: false, own_entry_count: "2" },
      ],
    );
  });
});

describe("v1.jumps", () => {
  it("says what was left, where the session went on, and what the left path cost", async () => {
    await world.session("a", twoRoots);
    await world.usage([
      { session_key: "a", entry_seq: 1, cost_usd: 0.01 },
      { session_key: "a", entry_seq: 3, cost_usd: 0.02 },
      { session_key: "a", entry_seq: 5, cost_usd: 0.04 },
    ]);
    expect(
      await ask(
        `select entry_id, from_entry_id, to_entry_id, left_behind_cost_usd, left_behind_entry_count, is_copy
         from v1.jumps order by entry_seq`,
      ),
    ).toEqual([
      {
        entry_id: "a4",
        from_entry_id: "a3",
        to_entry_id: "a2",
        left_behind_cost_usd: "0.020000000",
        left_behind_entry_count: "1",
        is_copy: false,
      },
      {
        entry_id: "r1",
        from_entry_id: "a5",
        to_entry_id: null,
        left_behind_cost_usd: "0.050000000",
        left_behind_entry_count: "4",
        is_copy: false,
      },
    ]);
  });
});
