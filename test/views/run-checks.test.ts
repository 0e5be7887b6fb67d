import { beforeEach, describe, expect, it } from "vitest";

import { readChecks, runChecks } from "../../pipeline/views/run-checks.js";
import { insertRows } from "../support/warehouse-rows.js";
import { openWorld, type World } from "../support/world.js";

let world: World;

async function brokenChecks(): Promise<string[]> {
  const results = await runChecks(world.connection, { onlyCheap: false });
  return results.filter((result) => result.rowCount > 0).map((result) => result.name);
}

beforeEach(async () => {
  world = await openWorld();
  await world.session("a", [{ id: "a1", role: "user" }, { id: "a2", role: "assistant" }, { id: "a3" }]);
  await world.session("fork", [
    { id: "a1", role: "user", columns: { is_copy: true, owner_session_key: "a" } },
  ]);
  await world.messages([{ session_key: "a", entry_seq: 2, entry_id: "a2", role: "assistant" }]);
  await world.calls([{ session_key: "a", entry_seq: 2, entry_id: "a2" }]);
  const reply = { session_key: "a", entry_seq: 2, entry_id: "a2", input_tokens: 1, output_tokens: 20 };
  await world.usage([
    { ...reply, cache_read_tokens: 0, cache_write_tokens: 0, cost_usd: 0.1 },
    { ...reply, usage_seq: 2, source: "subagent", cost_usd: 5 },
  ]);
  await insertRows(world.connection, "files", [
    {
      file_id: "file-of-a",
      kind: "session",
      session_key: "a",
      header_count: 1,
      record_count: 3,
      reject_count: 1,
      line_count: 5,
      pi_input_tokens: 1,
      pi_output_tokens: 20,
      pi_cost_usd: 0.1,
      pi_is_comparable: true,
    },
  ]);
  await insertRows(world.connection, "rejects", [{ file_id: "file-of-a", line_number: 5 }]);
});

/** A fault for each check, and whatever else it breaks. */
const FAULTS: [check: string, sql: string, others?: string[]][] = [
  ["active_branches_end_at_the_leaf", "update base.sessions set leaf_entry_seq = 2 where session_key = 'a'"],
  [
    "children_have_entries",
    "insert into base.messages by name select * replace (9 as entry_seq) from base.messages",
  ],
  ["copies_agree_between_tables", "update base.messages set is_copy = true"],
  ["cost_status_matches_cost", "update base.usage set cost_status = 'zero'"],
  ["counted_rows_have_no_reason", "update base.usage set not_counted_reason = 'aggregate'"],
  [
    "families_sum_to_usage",
    "create or replace view v1.session_families as select 'a' as root_session_key, 1 as own_cost_usd, 1 as family_cost_usd, 'a' as session_key",
  ],
  [
    "grains_are_unique",
    "create or replace view v1.labels as select 'a' as session_key, 'b' as target_entry_id from range(2)",
  ],
  ["keys_are_unique", "insert into base.rejects from base.rejects", ["records_are_entries"]],
  ["lines_are_accounted_for", "update base.files set line_count = 6"],
  ["one_owner_per_record", "update base.entries set is_copy = false", ["owners_are_named"]],
  ["owners_are_named", "update base.entries set owner_session_key = 'fork' where entry_id = 'a3'"],
  ["pi_totals_match_usage", "update base.files set pi_cost_usd = 0.2"],
  ["records_are_entries", "update base.files set record_count = 2, line_count = 4"],
  [
    "spend_sums_to_usage",
    "create or replace view v1.spend_by_project as select 1 as cost_usd, 0 as input_tokens, 0 as output_tokens, 0 as request_count, 'p' as project_path",
  ],
  ["trees_are_nested_sets", "update base.entries set depth = 7 where entry_id = 'a3'"],
];

describe("runChecks", () => {
  it("finds nothing in a sound warehouse", async () => {
    expect(await brokenChecks()).toEqual([]);
  });

  it.each(FAULTS)("%s finds its fault", async (check, sql, others = []) => {
    await world.connection.run(sql);
    expect(await brokenChecks()).toEqual([check].concat(others).toSorted());
  });

  it("takes sums of tokens that Pi's doubles do not hold to the last token", async () => {
    await world.connection.run(
      "update base.usage set input_tokens = 9007199254740995 where source <> 'subagent'",
    );
    await world.connection.run("update base.files set pi_input_tokens = 9007199254740992");
    expect(await brokenChecks()).toEqual([]);
  });

  it("has a fault above for every check", () => {
    const names = [...readChecks().map((check) => check.name), "grains_are_unique"];
    expect(FAULTS.map(([check]) => check)).toEqual(names.toSorted());
  });

  it("shows the first rows and counts the rest", async () => {
    const rows = Array.from({ length: 30 }, (_, index) => ({ file_id: "none", line_number: index }));
    await insertRows(world.connection, "rejects", [...rows, ...rows]);
    const results = await runChecks(world.connection, { onlyCheap: false });
    const keys = results.find((result) => result.name === "keys_are_unique");
    expect([keys?.rowCount, keys?.rows.length]).toEqual([30, 20]);
  });

  it("leaves the slow ones out when asked", async () => {
    const results = await runChecks(world.connection, { onlyCheap: true });
    expect(new Set(results.map((result) => result.severity))).toEqual(new Set(["cheap"]));
  });
});
