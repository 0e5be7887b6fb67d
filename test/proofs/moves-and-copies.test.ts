import { cpSync, linkSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { load, snapshot } from "../support/proof-warehouse.js";
import { difference, loadedWorld } from "../support/proof-world.js";
import { header, reply, session } from "../support/world-sessions.js";

describe("a session that moves", () => {
  it("stays one under its new path, together with its children", async () => {
    const nested = "p/a/r1/run-0/session.jsonl";
    const world = await loadedWorld({
      "p/a.jsonl": session("s0000001", 0, 0.01),
      [nested]: session("c1", 1, 0.02),
    });
    renameSync(join(world.sessions, "p"), join(world.sessions, "q"));
    await world.load();
    expect(await world.cost()).toBe("0.53");
    expect(
      await world.rows(
        "select session_id, parse_dirpath(path) like '%/q%' as is_new from base.sessions where is_present order by 1",
      ),
    ).toEqual([
      { session_id: "c1", is_new: true },
      { session_id: "s0000001", is_new: true },
      { session_id: "s0000002", is_new: false },
    ]);
    expect(await world.value("select count(*) from base.sessions")).toBe("3");
  });

  it("stays one when it moves and grows between two runs", async () => {
    const world = await loadedWorld({ "p/a.jsonl": session("s0000001", 0, 0.01) });
    world.remove("p");
    world.write({ "q/a.jsonl": session("s0000001", 0, 0.01, 0.02) });
    await world.load();
    expect([await world.cost(), await world.value("select count(*) from base.sessions")]).toEqual([
      "0.53",
      "2",
    ]);
  });

  it("stays one when it moves and comes back", async () => {
    const world = await loadedWorld({ "p/a.jsonl": session("s0000001", 0, 0.01) });
    const before = await snapshot(world.dbPath);
    world.remove("p");
    world.write({ "q/a.jsonl": session("s0000001", 0, 0.01) });
    await world.load();
    world.remove("q");
    world.write({ "p/a.jsonl": session("s0000001", 0, 0.01) });
    await world.load();
    const after = await snapshot(world.dbPath);
    // The file at the other place stays known, as gone.
    const { files: _before, ...held } = before;
    const { files: _after, ...holds } = after;
    expect(difference(held, holds)).toBe("the same tables");
  });

  it("keeps what the file at its new place lacks", async () => {
    const world = await loadedWorld({ "p/a.jsonl": session("s0000001", 0, 0.01, 0.02) });
    world.remove("p");
    world.write({ "q/a.jsonl": session("s0000001", 0, 0.01) });
    await world.load();
    expect([await world.cost(), await world.value("select count(*) from base.sessions")]).toEqual([
      "0.53",
      "2",
    ]);
  });
});

describe("one file in two places", () => {
  it("counts once as an exact copy of a whole home", async () => {
    const world = await loadedWorld({
      "p/a.jsonl": session("s0000001", 0, 0.01),
      "p/a/r1/run-0/session.jsonl": session("c1", 1, 0.02),
    });
    const backup = join(world.folder, "backup");
    cpSync(world.sessions, backup, { recursive: true });
    for (const roots of [
      [world.sessions, backup],
      [backup, world.sessions],
    ])
      await world.load({}, roots);
    expect(await world.cost()).toBe("0.53");
    expect(await world.value("select count(*) from v1.sessions")).toBe("3");
    expect(await world.value("select sum(cost_usd) from v1.spend_by_session")).toBe("0.53");

    const fresh = join(world.folder, "fresh.duckdb");
    await load(fresh, [backup, world.sessions]);
    expect(difference(await snapshot(fresh), await snapshot(world.dbPath))).toBe("the same tables");
  });

  it("counts once as a hard link or a symbolic link", async () => {
    const world = await loadedWorld({ "p/a.jsonl": session("s0000001", 0, 0.01) });
    mkdirSync(join(world.sessions, "q"));
    linkSync(join(world.sessions, "p/a.jsonl"), join(world.sessions, "q/hard.jsonl"));
    symlinkSync(join(world.sessions, "p/a.jsonl"), join(world.sessions, "q/soft.jsonl"));
    symlinkSync(world.sessions, join(world.sessions, "loop"));
    symlinkSync(join(world.sessions, "nowhere"), join(world.sessions, "q/nowhere.jsonl"));
    await world.load();
    expect([await world.cost(), await world.value("select count(*) from base.sessions")]).toEqual([
      "0.51",
      "2",
    ]);
  });

  it("is two sessions where two folders have files of one name", async () => {
    const world = await loadedWorld({
      "p/a.jsonl": session("s0000001", 0, 0.01),
      "q/a.jsonl": session("s0000003", 0, 0.02),
    });
    expect([await world.cost(), await world.value("select count(*) from v1.sessions")]).toEqual([
      "0.53",
      "3",
    ]);
  });

  it("is two sessions where one id is used in two projects at one time", async () => {
    const world = await loadedWorld({
      "p/nightly.jsonl": session("nightly.job-7", 0, 0.01),
      "q/nightly.jsonl": [
        header("nightly.job-7", 0, { cwd: "/home/ada/other" }),
        reply("x0000001", null, 7, { cost: 0.02 }),
      ],
    });
    expect([await world.cost(), await world.value("select count(*) from v1.sessions")]).toEqual([
      "0.53",
      "3",
    ]);
  });

  it("counts an import once, and what it goes on with", async () => {
    const original = session("s0000001", 0, 0.01, 0.02);
    const imported = [header("s0000001", 60), ...original.slice(1)];
    const goesOn = [...imported, reply("s0000001x", "s0000001r1", 70, { cost: 0.04 })];
    const world = await loadedWorld({ "a.jsonl": original, "a-1.jsonl": imported });
    expect([await world.cost(), await world.value("select count(*) from v1.sessions")]).toEqual([
      "0.53",
      "2",
    ]);
    world.write({ "a-1.jsonl": goesOn });
    await world.load();
    expect([await world.cost(), await world.value("select count(*) from v1.sessions")]).toEqual([
      "0.57",
      "3",
    ]);
  });

  it("keeps a session with only a header, and no clone without a record of its own", async () => {
    const original = session("s0000001", 0, 0.01);
    const world = await loadedWorld({
      "a.jsonl": original,
      "clone.jsonl": [header("s0000003", 60, { parentSession: "/x/a.jsonl" }), ...original.slice(1)],
      "new.jsonl": [header("s0000004", 70)],
    });
    expect(await world.rows("select session_id, entry_count as n from v1.sessions order by 1")).toEqual([
      { session_id: "s0000001", n: "2" },
      { session_id: "s0000002", n: "2" },
      { session_id: "s0000004", n: "0" },
    ]);
  });
});
