import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { snapshot } from "../support/proof-warehouse.js";
import { loadedWorld, type ProofWorld } from "../support/proof-world.js";
import { header, jsonl, reply, session } from "../support/world-sessions.js";

const SESSIONS =
  "select session_id, is_present, cost_usd as cost from base.sessions left join v1.spend_by_session using (session_key, session_id) order by all";

function writeText(world: ProofWorld, path: string, text: string): void {
  mkdirSync(dirname(join(world.sessions, path)), { recursive: true });
  writeFileSync(join(world.sessions, path), text);
}

describe("money that was spent", () => {
  it.each([
    ["emptied", ""],
    ["replaced by something that is no session", '{"type":"event","n":1}\n'],
    ["replaced by what is no JSON", "hello\n"],
    ["overwritten with another session", jsonl(session("s0000003", 50))],
  ])("stays when its file is %s", async (_what, text) => {
    const world = await loadedWorld({ "a.jsonl": session("s0000001", 0, 0.01, 0.02) });
    writeText(world, "a.jsonl", text);
    await world.load();
    expect(await world.cost()).toBe("0.53");
    const rows = await world.rows(SESSIONS);
    expect(rows.filter((row) => row["session_id"] !== "s0000003")).toEqual([
      { session_id: "s0000001", is_present: false, cost: "0.03" },
      { session_id: "s0000002", is_present: true, cost: "0.5" },
    ]);
  });

  it("stays where a file holds another session for a while, and counts once when the first is back", async () => {
    const world = await loadedWorld({ "a.jsonl": session("s0000001", 0, 0.01, 0.02) });
    const before = await snapshot(world.dbPath);
    world.write({ "a.jsonl": session("s0000003", 50, 0.04) });
    await world.load();
    expect(await world.cost()).toBe("0.57");
    world.write({ "a.jsonl": session("s0000001", 0, 0.01, 0.02) });
    await world.load();
    expect(await world.cost()).toBe("0.57");
    expect(await world.rows(SESSIONS)).toEqual([
      { session_id: "s0000001", is_present: true, cost: "0.03" },
      { session_id: "s0000002", is_present: true, cost: "0.5" },
      { session_id: "s0000003", is_present: false, cost: "0.04" },
    ]);
    const after = await snapshot(world.dbPath);
    const old = (rows: readonly string[] = []): string[] => rows.filter((row) => !row.includes("s0000003"));
    expect(old(after["usage"])).toEqual(before["usage"]);
  });

  it("stays for records that a shorter or other reading lacks, and nothing else counts them", async () => {
    const world = await loadedWorld({ "a.jsonl": session("s0000001", 0, 0.01, 0.02, 0.03) });
    world.write({ "a.jsonl": session("s0000001", 0, 0.01) });
    await world.load();
    expect(await world.cost()).toBe("0.56");
    const counts =
      "select entry_count, reply_count, branch_count from v1.sessions where session_id = 's0000001'";
    expect(await world.rows(counts)).toEqual([{ entry_count: "2", reply_count: "1", branch_count: "1" }]);
    const kept = `select entry_seq, entry_id, is_present, is_on_active_branch, depth from base.entries
      inner join base.sessions using (session_key) where session_id = 's0000001' order by entry_seq`;
    expect((await world.rows(kept.replace("is_present,", "entries.is_present,"))).slice(2)).toEqual([
      { entry_seq: "3", entry_id: "s0000001r1", is_present: false, is_on_active_branch: false, depth: null },
      { entry_seq: "4", entry_id: "s0000001r2", is_present: false, is_on_active_branch: false, depth: null },
    ]);

    world.write({
      "a.jsonl": [...session("s0000001", 0, 0.01), reply("s0000001x", "s0000001r0", 9, { cost: 0.1 })],
    });
    await world.load();
    expect(await world.cost()).toBe("0.66");
    world.write({ "a.jsonl": session("s0000001", 0, 0.01, 0.02, 0.03) });
    await world.load();
    expect(await world.cost()).toBe("0.66");
    expect(await world.rows(counts)).toEqual([{ entry_count: "4", reply_count: "3", branch_count: "1" }]);
  });

  it("is what the last reading says of the same record, and the change is counted", async () => {
    const world = await loadedWorld({ "a.jsonl": session("s0000001", 0, 0.01) });
    world.write({ "a.jsonl": session("s0000001", 0, 0.03) });
    await world.load();
    expect(await world.cost()).toBe("0.53");
    expect(await world.rows("select kind, occurrence_count as n from v1.data_quality")).toEqual([
      { kind: "changed_cost", n: "1" },
    ]);
  });

  it("stays when a folder is gone, when a root is empty, and when a root is not given", async () => {
    const world = await loadedWorld({ "p/a.jsonl": session("s0000001", 0, 0.01) });
    const present = "select count(*) from base.sessions where is_present";
    world.remove("p");
    await world.load();
    expect([await world.cost(), await world.value(present)]).toEqual(["0.51", "1"]);
    world.remove("b.jsonl");
    await world.load();
    expect([await world.cost(), await world.value(present)]).toEqual(["0.51", "1"]);
    const other = join(world.folder, "other");
    mkdirSync(other);
    await world.load({}, [other]);
    expect([await world.cost(), await world.value(present)]).toEqual(["0.51", "1"]);
  });
});

describe("files that are no sessions", () => {
  it("are listed with a reason and count nothing", async () => {
    const event = { type: "message_end", message: reply("x", null, 3, { cost: 9 })["message"] };
    const captured = Array.from({ length: 12 }, () => event);
    const world = await loadedWorld({
      "subagent-artifacts/run.jsonl": captured,
      "subagent-artifacts/agent.jsonl": [{ type: "agent_start" }, ...captured],
      "harness.jsonl": [
        { v: 4, kind: "header", id: "h1", createdAt: 1, cwd: "/home/ada" },
        { v: 4, kind: "message", usage: { cost: { total: 9 } } },
      ],
    });
    expect([await world.cost(), await world.value("select count(*) from base.sessions")]).toEqual([
      "0.5",
      "1",
    ]);
    expect(
      await world.rows(
        "select kind, session_key, skip_reason is not null as has_reason from base.files where kind <> 'session'",
      ),
    ).toEqual(
      Array.from({ length: 3 }, () => ({ kind: "not_a_session", session_key: null, has_reason: true })),
    );
  });

  it("are no sessions though a session's header comes first, where events follow", async () => {
    const events = [
      { type: "agent_start" },
      { type: "turn_start" },
      { type: "message_end", message: reply("x", null, 3, { cost: 9 })["message"] },
    ];
    const world = await loadedWorld({ "a/events.jsonl": [header("s0000009", 3), ...events] });
    expect(await world.cost()).toBe("0.5");
  });
});

describe("a file of the same size and times", () => {
  it("is read again where its bytes changed, and not where only its times did", async () => {
    const world = await loadedWorld({ "a.jsonl": session("s0000001", 0, 0.01) });
    const path = join(world.sessions, "a.jsonl");
    const time = new Date("2026-02-01T00:00:00Z");
    utimesSync(path, time, time);
    expect((await world.load()).files).toMatchObject({ unchanged: 1, loaded: 1 });
    rmSync(path);
    world.write({ "a.jsonl": session("s0000001", 0, 0.04) });
    utimesSync(path, time, time);
    expect((await world.load()).files).toMatchObject({ unchanged: 1, loaded: 1 });
    expect(await world.cost()).toBe("0.54");
    utimesSync(path, time, time);
    expect((await world.load()).files).toMatchObject({ unchanged: 2, loaded: 0 });
  });
});

describe("a record that comes again with another cost", () => {
  const REPLACED =
    "select entry_seq, replaced_cost_usd as cost from base.usage where replaced_cost_usd is not null";
  const twice = (...costs: readonly number[]) => [
    header("s0000001", 0),
    ...costs.map((cost) => reply("r1", null, 3, { cost })),
  ];

  it("keeps the cost it replaced, and that alone where the record stands in the file twice", async () => {
    const world = await loadedWorld({ "a.jsonl": twice(0.25, 0.01) });
    await world.load({ isFull: true });
    expect(await world.rows(REPLACED)).toEqual([]);
    world.write({ "a.jsonl": twice(0.125, 0.01) });
    await world.load();
    expect(await world.rows(REPLACED)).toEqual([{ entry_seq: "1", cost: "0.25" }]);
    await world.load({ isFull: true });
    expect(await world.rows(REPLACED)).toEqual([{ entry_seq: "1", cost: "0.25" }]);
    expect(await world.cost()).toBe("0.625");
  });
});
