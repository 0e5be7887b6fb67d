import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { load, snapshot } from "../support/proof-warehouse.js";
import { difference, loadedWorld } from "../support/proof-world.js";
import { header, type Line, reply, session, user } from "../support/world-sessions.js";

describe("what is fixed at the first load", () => {
  it("is the machine's name, until another is given for what is read from then on", async () => {
    const world = await loadedWorld({});
    const machines = "select session_id, machine from base.sessions order by 1";
    world.write({ "a.jsonl": session("s0000001", 0, 0.01) });
    await world.load({ defaultMachine: "ada-renamed" });
    expect(await world.rows(machines)).toEqual([
      { session_id: "s0000001", machine: "ada-laptop" },
      { session_id: "s0000002", machine: "ada-laptop" },
    ]);
    expect(await world.cost()).toBe("0.51");
    await world.load({ machine: "ada-desk" });
    expect(await world.cost()).toBe("0.51");
  });

  it("is the zone of days, until another is asked for: then all days change, those of gone files too", async () => {
    const world = await loadedWorld({ "late.jsonl": session("s0000001", 14.5 * 3600, 0.01) });
    const days = "select spent_on, sum(cost_usd) as cost from v1.spend_daily group by all order by all";
    const inUtc = [{ spent_on: "2026-01-05", cost: "0.51" }];
    expect(await world.rows(days)).toEqual(inUtc);
    world.remove("late.jsonl");
    await world.load({ defaultTimeZone: "Asia/Tokyo" });
    expect(await world.rows(days)).toEqual(inUtc);
    await world.load({ timeZone: "Asia/Tokyo" });
    const inTokyo = [
      { spent_on: "2026-01-05", cost: "0.5" },
      { spent_on: "2026-01-06", cost: "0.01" },
    ];
    expect(await world.rows(days)).toEqual(inTokyo);
    expect(
      await world.rows("select occurred_on, count(*) as n from base.messages group by all order by all"),
    ).toEqual([
      { occurred_on: "2026-01-05", n: "2" },
      { occurred_on: "2026-01-06", n: "2" },
    ]);
    await world.load();
    expect(await world.rows(days)).toEqual(inTokyo);
  });

  it("gives the same tables as a first load in that zone", async () => {
    const world = await loadedWorld({ "late.jsonl": session("s0000001", 14.5 * 3600, 0.01) });
    await world.load({ timeZone: "America/St_Johns" });
    const fresh = join(world.folder, "fresh.duckdb");
    await load(fresh, [world.sessions], { timeZone: "America/St_Johns" });
    expect(difference(await snapshot(fresh), await snapshot(world.dbPath))).toBe("the same tables");
  });
});

describe("content", () => {
  it("gives the same tables when it is dropped and comes back as when it was there all along", async () => {
    const world = await loadedWorld({ "a.jsonl": session("s0000001", 0, 0.01) });
    const full = await snapshot(world.dbPath);
    await world.load({ content: "none" });
    expect(
      await world.value("select count(*) from base.messages where text is not null or prompt is not null"),
    ).toBe("0");
    const none = await snapshot(world.dbPath);
    const fresh = join(world.folder, "fresh.duckdb");
    await load(fresh, [world.sessions], { content: "none" });
    expect(difference(await snapshot(fresh), none)).toBe("the same tables");
    await world.load({ content: "full" });
    expect(difference(await snapshot(world.dbPath), full)).toBe("the same tables");
  });

  it("keeps copies joined, gone ones too, while it changes", async () => {
    const original = session("s0000001", 0, 0.01, 0.02);
    const { version: _version, ...oldHeader } = header("s0000001", 0);
    const bare = original.slice(1).map(({ id: _id, parentId: _parentId, ...rest }) => rest);
    const world = await loadedWorld({ "v1.jsonl": [oldHeader, ...bare] });
    world.remove("v1.jsonl");
    world.write({ "copies/v3.jsonl": [header("s0000009", 60), ...original.slice(1)] });
    for (const content of ["none", "full", "none"] as const) {
      await world.load({ content });
      expect([content, await world.cost()]).toEqual([content, "0.53"]);
    }
  });
});

describe("clocks", () => {
  it("that jump change no sum and no order", async () => {
    const lines = [
      header("s0000001", 1000),
      user("a1", null, 900),
      reply("a2", "a1", 5, { cost: 0.01 }),
      reply("a3", "a2", -86_400, { cost: 0.02 }),
    ];
    const world = await loadedWorld({ "a.jsonl": lines });
    expect(
      await world.rows(
        "select spent_on, sum(cost_usd) as cost from v1.spend_daily group by all order by all",
      ),
    ).toEqual([
      { spent_on: "2026-01-04", cost: "0.02" },
      { spent_on: "2026-01-05", cost: "0.51" },
    ]);
    expect(
      await world.rows(
        "select entry_id from base.entries where is_on_active_branch and entry_id like 'a%' order by depth",
      ),
    ).toEqual([{ entry_id: "a1" }, { entry_id: "a2" }, { entry_id: "a3" }]);
  });

  it("that tell an impossible time lose no money", async () => {
    const odd = (id: string, timestamp: unknown): Line => ({
      ...reply(id, null, 3, { cost: 0.01 }),
      timestamp,
    });
    const world = await loadedWorld({
      "a.jsonl": [
        header("s0000001", 0),
        odd("a1", "1969-01-01T00:00:00.000Z"),
        odd("a2", "2200-01-01T00:00:00.000Z"),
        odd("a3", "soon"),
        odd("a4", 17),
        odd("a5", undefined),
      ],
    });
    expect(await world.cost()).toBe("0.55");
    expect(
      await world.rows(
        "select spent_on, sum(cost_usd) as cost from v1.spend_daily group by all order by all",
      ),
    ).toEqual([
      { spent_on: "2026-01-05", cost: "0.5" },
      { spent_on: null, cost: "0.05" },
    ]);
    expect(
      await world.value("select sum(occurrence_count) from v1.data_quality where kind = 'odd_time'"),
    ).toBe("5");
  });
});
