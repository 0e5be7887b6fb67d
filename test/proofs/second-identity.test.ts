import { describe, expect, it } from "vitest";
import { type Files, loadInAllOrders } from "../support/proof-world.js";
import { asVersion1, header, type Line, reply, user } from "../support/world-sessions.js";

const SAME = ["the same tables", "the same tables"];
const OWNED = "select count(*) from base.entries where not is_copy";

/** Four records: two prompts and two replies of 0.01 and 0.02 dollars, with ids that start so. */
function conversation(prefix: string): readonly [Line, Line, Line, Line] {
  const id = (n: number): string => `${prefix}000000${n}`;
  return [
    user(id(1), null, 1),
    reply(id(2), id(1), 3, { cost: 0.01 }),
    user(id(3), id(2), 5, "and the cart"),
    reply(id(4), id(3), 8, { cost: 0.02, text: "the cart too" }),
  ];
}

function version1Header(id: string, seconds: number, fields: Line = {}): Line {
  const { version: _version, ...rest } = header(id, seconds, fields);
  return rest;
}

const PARENT_FILE = "2026-01-05T09-00-00-000Z_s0000001.jsonl";
const CHILD_FILE = "2026-01-05T09-00-20-000Z_s0000002.jsonl";
const PARENT_PATH = `/home/ada/.pi/agent/sessions/--home-ada-shop--/${PARENT_FILE}`;

describe("one record under two ids", () => {
  it("joins a version 1 parent and its branch that were migrated apart, with random ids each", async () => {
    const own = [user("c0000005", "c0000004", 21), reply("c0000006", "c0000005", 23, { cost: 0.04 })];
    const world = await loadInAllOrders({
      [PARENT_FILE]: [header("s0000001", 0), ...conversation("a")],
      [CHILD_FILE]: [header("s0000002", 20, { branchedFrom: PARENT_PATH }), ...conversation("c"), ...own],
    });
    expect([await world.cost(), await world.value(OWNED), ...world.orders]).toEqual(["0.07", "6", ...SAME]);
  });

  it("joins branches of one parent whose file is gone", async () => {
    const world = await loadInAllOrders({
      "b.jsonl": [header("s0000002", 20, { branchedFrom: PARENT_PATH }), ...conversation("b")],
      "c.jsonl": [header("s0000003", 30, { parentSession: PARENT_PATH }), ...conversation("c")],
    });
    expect([await world.cost(), await world.value(OWNED), ...world.orders]).toEqual(["0.03", "4", ...SAME]);
  });

  it("joins a version 1 file with a fork of it that has a version 3 header over records without ids", async () => {
    const lines = conversation("a").map(asVersion1);
    const own = [reply("c0000005", null, 25, { cost: 0.04 })];
    const world = await loadInAllOrders({
      [PARENT_FILE]: [version1Header("s0000001", 0), ...lines],
      [CHILD_FILE]: [header("s0000002", 20, { parentSession: PARENT_PATH }), ...lines, ...own],
    });
    expect([await world.cost(), await world.value(OWNED), ...world.orders]).toEqual(["0.07", "5", ...SAME]);
  });

  it("joins a fork without ids with its parent when that was migrated since", async () => {
    const world = await loadInAllOrders({
      [PARENT_FILE]: [header("s0000001", 0), ...conversation("a")],
      [CHILD_FILE]: [
        header("s0000002", 20, { parentSession: PARENT_PATH }),
        ...conversation("x").map(asVersion1),
      ],
    });
    expect([await world.cost(), await world.value(OWNED), ...world.orders]).toEqual(["0.03", "4", ...SAME]);
  });

  it("joins records without ids by what they say, whatever the sessions are called", async () => {
    const world = await loadInAllOrders({
      "a.jsonl": [version1Header("s0000001", 0), ...conversation("a").map(asVersion1)],
      "b.jsonl": [header("s0000009", 7), ...conversation("b")],
    });
    expect([await world.cost(), await world.value(OWNED), ...world.orders]).toEqual(["0.03", "4", ...SAME]);
  });

  it("does so without the texts too", async () => {
    const files: Files = {
      "a.jsonl": [version1Header("s0000001", 0), ...conversation("a").map(asVersion1)],
      "b.jsonl": [header("s0000009", 7), ...conversation("b")],
    };
    const world = await loadInAllOrders(files, { content: "none" });
    expect([await world.cost(), await world.value(OWNED), ...world.orders]).toEqual(["0.03", "4", ...SAME]);
  });

  it("keeps equal records without ids of one file apart", async () => {
    const twice = [reply("a", null, 3, { cost: 0.01 }), reply("b", null, 3, { cost: 0.01 })].map(asVersion1);
    const world = await loadInAllOrders({
      "a.jsonl": [version1Header("s0000001", 0), ...twice],
      "b.jsonl": [version1Header("s0000002", 10, { branchedFrom: "/x/a.jsonl" }), ...twice],
    });
    expect([await world.cost(), await world.value(OWNED), ...world.orders]).toEqual(["0.02", "2", ...SAME]);
  });

  it("keeps records of version 1 apart that differ in nothing but what they say", async () => {
    const said = (text: string): Line => asVersion1(reply("a", null, 3, { cost: 0.01, text }));
    const world = await loadInAllOrders({
      "a.jsonl": [version1Header("s0000001", 0), said("yes")],
      "b.jsonl": [version1Header("s0000002", 0), said("no")],
    });
    expect([await world.cost(), await world.value(OWNED)]).toEqual(["0.02", "2"]);
  });
});

describe("two records that look like one", () => {
  it("are two in parallel children of one parent, equal to the millisecond and to the letter", async () => {
    const parentSession = PARENT_PATH;
    const child = (id: string): readonly Line[] => [
      header(id, 10, { parentSession }),
      user(`${id}1`, null, 10, "look"),
      reply(`${id}2`, `${id}1`, 12, { cost: 0.01 }),
    ];
    const folder = PARENT_FILE.replace(".jsonl", "");
    const world = await loadInAllOrders({
      [PARENT_FILE]: [header("s0000001", 0), ...conversation("a")],
      [`${folder}/r1/run-0/session.jsonl`]: child("c1"),
      [`${folder}/r1/run-1/session.jsonl`]: child("c2"),
    });
    expect([await world.cost(), await world.value(OWNED), ...world.orders]).toEqual(["0.05", "8", ...SAME]);
  });

  it("are two in sessions that have nothing to do with each other", async () => {
    const world = await loadInAllOrders({
      "a.jsonl": [header("s0000001", 0), ...conversation("a")],
      "b.jsonl": [header("s0000002", 0), ...conversation("b")],
    });
    expect([await world.cost(), await world.value(OWNED), ...world.orders]).toEqual(["0.06", "8", ...SAME]);
  });

  it("are two where one id comes at two times", async () => {
    const world = await loadInAllOrders({
      "a.jsonl": [header("s0000001", 0), reply("a0000001", null, 3, { cost: 0.01 })],
      "b.jsonl": [header("s0000002", 0), reply("a0000001", null, 4, { cost: 0.02 })],
    });
    expect([await world.cost(), await world.value(OWNED), ...world.orders]).toEqual(["0.03", "2", ...SAME]);
  });

  it("are two where one id comes twice in a file, at two times", async () => {
    const world = await loadInAllOrders({
      "a.jsonl": [
        header("s0000001", 0),
        reply("a0000001", null, 3, { cost: 0.01 }),
        reply("a0000001", null, 4, { cost: 0.02 }),
        reply("a0000001", "a0000001", 4, { cost: 0.02 }),
      ],
    });
    expect([await world.cost(), await world.value(OWNED)]).toEqual(["0.03", "2"]);
    expect(await world.rows("select kind, occurrence_count as n from v1.data_quality order by 1")).toEqual([
      { kind: "duplicate_id", n: "1" },
      { kind: "duplicate_record", n: "1" },
    ]);
  });
});

describe("a record and its copy", () => {
  it("are one however their times are written", async () => {
    const copy = { ...reply("a0000002", null, 3, { cost: 0.01 }), timestamp: "2026-01-05T10:00:03+01:00" };
    const short = { ...copy, timestamp: "2026-01-05T09:00:03Z" };
    const world = await loadInAllOrders({
      "a.jsonl": [header("s0000001", 0), reply("a0000002", null, 3, { cost: 0.01 })],
      "b.jsonl": [header("s0000002", 9), copy],
      "c.jsonl": [header("s0000003", 9), short],
    });
    expect([await world.cost(), await world.value(OWNED), ...world.orders]).toEqual(["0.01", "1", ...SAME]);
  });

  it("stay one where role, model or tokens differ, and the difference is counted", async () => {
    const world = await loadInAllOrders({
      "a.jsonl": [header("s0000001", 0), reply("a0000002", null, 3, { cost: 0.01 })],
      "b.jsonl": [header("s0000002", 9), reply("a0000002", null, 3, { cost: 0.01, input: 999 })],
      "c.jsonl": [
        header("s0000003", 9),
        reply("a0000002", null, 3, { cost: 0.01, message: { model: "bad" } }),
      ],
    });
    expect([await world.cost(), await world.value(OWNED), ...world.orders]).toEqual(["0.01", "1", ...SAME]);
    expect(
      Number(
        await world.value(
          "select sum(occurrence_count) from v1.data_quality where kind = 'identity_conflict'",
        ),
      ),
    ).toBeGreaterThan(0);
  });

  it("are owned by the one that was paid, whichever is older", async () => {
    const world = await loadInAllOrders({
      "a.jsonl": [header("s0000001", 0), reply("a0000002", null, 3, { cost: 0 })],
      "b.jsonl": [header("s0000002", 9), reply("a0000002", null, 3, { cost: 0.05 })],
    });
    expect([await world.cost(), ...world.orders]).toEqual(["0.05", ...SAME]);
    expect(
      await world.rows(
        "select session_id, is_copy from base.entries inner join base.sessions using (session_key) order by 1",
      ),
    ).toEqual([
      { session_id: "s0000001", is_copy: true },
      { session_id: "s0000002", is_copy: false },
    ]);
  });

  it("are owned by the older session, then by the smaller id, and by one with a folder before one without", async () => {
    const shared = reply("a0000002", null, 3);
    const { cwd: _cwd, ...withoutFolder } = header("s0000000", 0);
    const world = await loadInAllOrders({
      "no-folder.jsonl": [withoutFolder, shared],
      "younger.jsonl": [header("s0000001", 9), shared],
      "larger.jsonl": [header("s0000003", 5), shared],
      "owner.jsonl": [header("s0000002", 5), shared],
    });
    const owner =
      "select parse_filename(path) from base.sessions where session_key in (select owner_session_key from base.entries)";
    expect([await world.value(owner), ...world.orders]).toEqual(["owner.jsonl", ...SAME]);
  });

  it("are not abandoned where a clone goes on from there", async () => {
    const [prompt, first, second, third] = conversation("a");
    const other = [user("a0000005", "a0000001", 20), reply("a0000006", "a0000005", 22, { cost: 0.04 })];
    const copies = [prompt, first, second, third];
    const world = await loadInAllOrders({
      "a.jsonl": [header("s0000001", 0), prompt, first, second, third, ...other],
      "b.jsonl": [header("s0000002", 15, { parentSession: "/x/a.jsonl" }), ...copies],
    });
    expect(await world.rows("select entry_id from base.entries where is_abandoned")).toEqual([]);
    expect([
      await world.value("select sum(abandoned_cost_usd) from v1.spend_by_session"),
      ...world.orders,
    ]).toEqual(["0", ...SAME]);
  });

  it("are abandoned where no session that holds them has them on its active branch", async () => {
    const [prompt, first, second, third] = conversation("a");
    const world = await loadInAllOrders({
      "a.jsonl": [header("s0000001", 0), prompt, first, second, third, user("a0000005", "a0000001", 20)],
      "b.jsonl": [header("s0000002", 15), prompt, first, second, third, user("b0000005", "a0000001", 21)],
    });
    expect(
      await world.rows("select distinct entry_id from base.entries where is_abandoned order by 1"),
    ).toEqual([{ entry_id: "a0000002" }, { entry_id: "a0000003" }, { entry_id: "a0000004" }]);
    expect(
      await world.rows(
        `select session_id, abandoned_cost_usd as abandoned from v1.spend_by_session order by 1`,
      ),
    ).toEqual([
      { session_id: "s0000001", abandoned: "0.03" },
      { session_id: "s0000002", abandoned: "0" },
    ]);
    expect(world.orders).toEqual(SAME);
  });
});
