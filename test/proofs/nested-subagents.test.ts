import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Files, loadInAllOrders, openWorld } from "../support/proof-world.js";
import {
  call,
  childRun,
  header,
  type Line,
  reply,
  toolResult,
  usage,
  user,
} from "../support/world-sessions.js";
import {
  BY_SOURCE,
  child,
  ON_ADAS_MACHINE,
  PARENT,
  parent,
  reported,
  runFile,
} from "../support/world-subagents.js";

const SAME = ["the same tables", "the same tables"];

describe("sub-agents within and beside each other", () => {
  it("counts a grandchild once that only its parent's details tell of", async () => {
    const inner = [
      header("c1", 10),
      user("c1u", null, 11),
      reply("c1r", "c1u", 13, { cost: 0.3, calls: [call("t9", "subagent")] }),
      toolResult("c1t", "c1r", 20, "t9", {
        details: { runId: "r9", results: [childRun(0.2)] },
        usage: usage(0.2),
      }),
    ];
    const details = { runId: "r1", results: [childRun(0.5, reported("r1", 0))] };
    const world = await loadInAllOrders({
      [`${PARENT}.jsonl`]: parent(details, usage(0.5)),
      [runFile("r1", 0)]: inner,
    });
    expect([await world.cost(), ...world.orders]).toEqual(["0.53", ...SAME]);
  });

  it("counts a grandchild once that has a file of its own", async () => {
    const childFile = runFile("r1", 0);
    const grandchildFile = childFile.replace(".jsonl", "/r9/run-0/session.jsonl");
    const inner = [
      header("c1", 10),
      user("c1u", null, 11),
      reply("c1r", "c1u", 13, { cost: 0.3, calls: [call("t9", "subagent")] }),
      toolResult("c1t", "c1r", 20, "t9", {
        details: {
          runId: "r9",
          results: [childRun(0.2, { sessionFile: `${ON_ADAS_MACHINE}/${grandchildFile}` })],
        },
        usage: usage(0.2),
      }),
    ];
    const details = { runId: "r1", results: [childRun(0.5, reported("r1", 0))] };
    const world = await loadInAllOrders({
      [`${PARENT}.jsonl`]: parent(details, usage(0.5)),
      [childFile]: inner,
      [grandchildFile]: child("c9", 14, 0.2),
    });
    expect([await world.cost(), ...world.orders]).toEqual(["0.53", ...SAME]);
    expect(
      await world.rows("select session_id, parent_link, generation from base.sessions order by 1"),
    ).toEqual([
      { session_id: "c1", parent_link: "child", generation: "1" },
      { session_id: "c9", parent_link: "child", generation: "2" },
      { session_id: "s0000001", parent_link: null, generation: "0" },
    ]);
  });

  it("counts what a child that was forked off the parent's context wrote itself", async () => {
    const lines = parent({ runId: "r1", results: [childRun(0.4)] }, usage(0.4));
    const forkFile = `${PARENT}/forks/2026-01-05T09-00-10-000Z_f0000001.jsonl`;
    const [, prompt = {}, first = {}] = lines;
    const fork = [
      header("f0000001", 10, {
        parentSession: `${ON_ADAS_MACHINE}/${PARENT}.jsonl`,
        cwd: "/home/ada/shop/tree",
      }),
      prompt,
      first,
      user("f1", "a0000002", 11),
      reply("f2", "f1", 20, { cost: 0.4 }),
    ];
    const details = {
      runId: "r1",
      results: [childRun(0.4, { sessionFile: `${ON_ADAS_MACHINE}/${forkFile}` })],
    };
    const world = await loadInAllOrders({
      [`${PARENT}.jsonl`]: parent(details, usage(0.4)),
      [forkFile]: fork,
    });
    expect([await world.cost(), ...world.orders]).toEqual(["0.43", ...SAME]);
    expect(await world.value("select parent_link from base.sessions where session_id = 'f0000001'")).toBe(
      "child_fork",
    );
  });

  it("counts parallel children that do the same at the same times", async () => {
    const same = (id: string): readonly Line[] => [
      header(id, 10),
      user(`${id}1`, null, 10, "look"),
      reply(`${id}2`, `${id}1`, 12, { cost: 0.2 }),
    ];
    const details = {
      runId: "r1",
      results: [childRun(0.2, reported("r1", 0)), childRun(0.2, reported("r1", 1))],
    };
    const world = await loadInAllOrders({
      [`${PARENT}.jsonl`]: parent(details, usage(0.4)),
      [runFile("r1", 0)]: same("c1"),
      [runFile("r1", 1)]: same("c2"),
    });
    expect([await world.cost(), ...world.orders]).toEqual(["0.43", ...SAME]);
  });

  it("counts runs with the same id and index of two parents apart", async () => {
    const details = { runId: "r1", results: [childRun(0.2)] };
    const [, ...records] = parent(details);
    const other = [header("s0000002", 100), ...records.map((line) => ({ ...line, id: `b${line["id"]}` }))];
    const world = await loadInAllOrders({ [`${PARENT}.jsonl`]: parent(details), "other.jsonl": other });
    expect([await world.cost(), ...world.orders]).toEqual(["0.46", ...SAME]);
  });

  it("counts once what a fork of the parent repeats", async () => {
    const lines = parent({ runId: "r1", results: [childRun(0.5, reported("r1", 0))] }, usage(0.6));
    const [, ...records] = lines;
    const fork = [
      header("s0000002", 60, { parentSession: `${ON_ADAS_MACHINE}/${PARENT}.jsonl` }),
      ...records,
      user("b1", "a0000004", 61),
      reply("b2", "b1", 63, { cost: 0.01 }),
    ];
    const world = await loadInAllOrders({
      [`${PARENT}.jsonl`]: lines,
      "--home-ada-shop--/fork.jsonl": fork,
      [runFile("r1", 0)]: child("c1", 10, 0.4),
    });
    expect([await world.cost(), ...world.orders]).toEqual(["0.64", ...SAME]);
  });

  it("knows details by their shape, whatever the tool is called, and skips what repeats them", async () => {
    const run = childRun(0.1, {
      messages: [reply("x", null, 5, { cost: 0.1 })["message"]],
      modelAttempts: [
        { model: "good", usage: { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, cost: 0.1 } },
      ],
    });
    const calls = [{ id: "t1/1", name: "subagent", status: "ok", usage: usage(0.1) }];
    const details = { results: [run], calls, totalCost: { costUsd: 0.1 } };
    const world = await loadInAllOrders({
      [`${PARENT}.jsonl`]: parent(details, undefined, { toolName: "delegate" }),
    });
    expect(await world.cost()).toBe("0.13");
  });
});

describe("a sub-agent's file over time", () => {
  const details = { runId: "r1", results: [childRun(0.5, reported("r1", 0))] };
  const files: Files = {
    [`${PARENT}.jsonl`]: parent(details, usage(0.5)),
    [runFile("r1", 0)]: child("c1", 10, 0.2, 0.3),
  };

  it("counts once while it grows", async () => {
    const world = openWorld();
    const costs: unknown[] = [];
    for (const lineCount of [2, 3, 4]) {
      world.write({ ...files, [runFile("r1", 0)]: child("c1", 10, 0.2, 0.3).slice(0, lineCount) });
      await world.load();
      costs.push(await world.cost());
    }
    expect(costs).toEqual(["0.53", "0.53", "0.53"]);
  });

  it("counts once after it is deleted", async () => {
    const world = openWorld();
    world.write(files);
    await world.load();
    world.remove(PARENT);
    await world.load();
    expect([await world.cost(), await world.rows(BY_SOURCE)]).toEqual([
      "0.53",
      [{ source: "assistant", cost: "0.53" }],
    ]);
  });

  it("counts once after its parent is deleted", async () => {
    const world = openWorld();
    world.write(files);
    await world.load();
    world.remove(`${PARENT}.jsonl`);
    await world.load();
    expect(await world.cost()).toBe("0.53");
  });

  it.each([
    ["the parent's file", `${PARENT}.jsonl`],
    ["the sub-agent's file", runFile("r1", 0)],
  ])("counts once after %s alone was moved, though the result names no file", async (_what, path) => {
    const world = openWorld();
    const silent: Files = {
      ...files,
      [`${PARENT}.jsonl`]: parent({ runId: "r1", results: [childRun(0.5)] }, usage(0.5)),
    };
    world.write(silent);
    await world.load();
    world.remove(path);
    world.write({ [`archive/${path}`]: silent[path] ?? [] });
    await world.load();
    expect(await world.cost()).toBe("0.53");
    expect(await world.value("select parent_link from base.sessions where session_id = 'c1'")).toBe("child");
  });

  it("counts beside another session that takes the place of either in its file", async () => {
    const world = openWorld();
    world.write(files);
    await world.load();
    world.write({
      [runFile("r1", 0)]: child("c2", 90, 0.04),
      [`${PARENT}.jsonl`]: child("s0000009", 95, 0.08),
    });
    await world.load();
    expect(await world.cost()).toBe("0.65");
    expect(await world.rows(BY_SOURCE)).toEqual([{ source: "assistant", cost: "0.65" }]);
  });

  it("stays a child when the whole folder moves", async () => {
    const world = openWorld();
    world.write(files);
    await world.load();
    world.remove("--home-ada-shop--");
    world.write(
      Object.fromEntries(Object.entries(files).map(([path, lines]) => [`old/2026/${path}`, lines])),
    );
    await world.load();
    expect(await world.cost()).toBe("0.53");
    expect(
      await world.rows("select session_id, parent_link, is_present from base.sessions order by 1"),
    ).toEqual([
      { session_id: "c1", parent_link: "child", is_present: true },
      { session_id: "s0000001", parent_link: null, is_present: true },
    ]);
  });

  it.each([
    ["backup", "sessions"],
    ["sessions", "with-backup"],
  ])("counts once in %s and in its copy in %s", async (one, other) => {
    const world = openWorld();
    for (const home of [one, other])
      world.write(
        Object.fromEntries(Object.entries(files).map(([path, lines]) => [`${home}/${path}`, lines])),
      );
    await world.load({}, [join(world.sessions, one), join(world.sessions, other)]);
    expect(await world.cost()).toBe("0.53");
    const totals =
      "select session_id, cost_usd as own, subagent_cost_usd as agents from v1.spend_by_session order by all";
    expect(await world.rows(totals)).toEqual([
      { session_id: "c1", own: "0.5", agents: "0" },
      { session_id: "s0000001", own: "0.03", agents: "0.5" },
    ]);
  });

  it("counts once where its records were imported into an older session", async () => {
    const [, ...records] = child("c1", 10, 0.2, 0.3);
    const imported = [header("c0", 5), ...records];
    const world = await loadInAllOrders({ ...files, "--home-ada-shop--/imported.jsonl": imported });
    expect([await world.cost(), ...world.orders]).toEqual(["0.53", ...SAME]);
  });
});
