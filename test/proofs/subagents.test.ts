import { describe, expect, it } from "vitest";
import { loadInAllOrders } from "../support/proof-world.js";
import { call, childRun, reply, toolResult, usage } from "../support/world-sessions.js";
import { BY_SOURCE, child, PARENT, parent, reported, runFile } from "../support/world-subagents.js";

const SAME = ["the same tables", "the same tables"];

describe("a sub-agent's money", () => {
  it.each([
    ["only in the details", [childRun(0.1), childRun(0.2)], undefined, "0.33", { subagent: "0.3" }],
    ["only in the carrier", [], usage(0.3), "0.33", { tool_result: "0.3" }],
    ["in both alike", [childRun(0.1), childRun(0.2)], usage(0.3), "0.33", { subagent: "0.3" }],
    [
      "in a carrier of more",
      [childRun(0.1), childRun(0.2)],
      usage(0.5),
      "0.53",
      { subagent: "0.3", tool_result: "0.2" },
    ],
    ["in a carrier of less", [childRun(0.1), childRun(0.2)], usage(0.05), "0.33", { subagent: "0.3" }],
  ])("%s", async (_name, results, carrier, total, sources) => {
    const world = await loadInAllOrders({ [`${PARENT}.jsonl`]: parent({ results }, carrier) });
    expect(await world.cost()).toBe(total);
    const rows = await world.rows(BY_SOURCE);
    expect(Object.fromEntries(rows.map((row) => [row["source"], row["cost"]]))).toEqual({
      assistant: "0.03",
      ...sources,
    });
  });

  it("counts from the child's own file alone, wherever else it is reported", async () => {
    const details = {
      mode: "single",
      runId: "r1",
      results: [
        childRun(0.1, { ...reported("r1", 0), messages: [reply("x", null, 5, { cost: 0.1 })["message"]] }),
      ],
      totalCost: { inputTokens: 1, outputTokens: 1, costUsd: 0.1 },
      totalChildUsage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: 0.1 },
    };
    const world = await loadInAllOrders({
      [`${PARENT}.jsonl`]: parent(details, usage(0.1)),
      [runFile("r1", 0)]: child("c1", 10, 0.04, 0.06),
    });
    expect([await world.cost(), ...world.orders]).toEqual(["0.13", ...SAME]);
    expect(
      await world.rows(
        "select session_id, cost_usd as own, subagent_cost_usd as agents, total_cost_usd as total from v1.spend_by_session order by 1",
      ),
    ).toEqual([
      { session_id: "c1", own: "0.1", agents: "0", total: "0.1" },
      { session_id: "s0000001", own: "0.03", agents: "0.1", total: "0.13" },
    ]);
    expect(await world.rows("select session_id, parent_link from base.sessions order by 1")).toEqual([
      { session_id: "c1", parent_link: "child" },
      { session_id: "s0000001", parent_link: null },
    ]);
  });

  it("counts as sub-agent what a child that crashed did not write to its file", async () => {
    const details = { runId: "r1", results: [childRun(0.5, { ...reported("r1", 0), exitCode: 1 })] };
    const world = await loadInAllOrders({
      [`${PARENT}.jsonl`]: parent(details, usage(0.5)),
      [runFile("r1", 0)]: child("c1", 10, 0.2),
    });
    expect([await world.cost(), ...world.orders]).toEqual(["0.53", ...SAME]);
    expect(await world.rows(BY_SOURCE)).toEqual([
      { source: "assistant", cost: "0.23" },
      { source: "subagent", cost: "0.3" },
    ]);
  });

  it("counts the file where that holds more than was reported", async () => {
    const details = { runId: "r1", results: [childRun(0.1, reported("r1", 0))] };
    const world = await loadInAllOrders({
      [`${PARENT}.jsonl`]: parent(details, usage(0.1)),
      [runFile("r1", 0)]: child("c1", 10, 0.2, 0.2),
    });
    expect([await world.cost(), ...world.orders]).toEqual(["0.43", ...SAME]);
  });

  it.each([
    [0.5, "0.53"],
    [0.6, "0.63"],
    [0.4, "0.53"],
  ])("counts two children in a carrier of %s of which one has a file", async (carrier, total) => {
    const details = {
      runId: "r1",
      results: [childRun(0.3, reported("r1", 0)), childRun(0.2, reported("r1", 1))],
    };
    const world = await loadInAllOrders({
      [`${PARENT}.jsonl`]: parent(details, usage(carrier)),
      [runFile("r1", 0)]: child("c1", 10, 0.3),
    });
    expect([await world.cost(), ...world.orders]).toEqual([total, ...SAME]);
  });

  it("finds a child by its place where the details name no file", async () => {
    const details = { runId: "r1", results: [childRun(0.1), childRun(0.2)] };
    const world = await loadInAllOrders({
      [`${PARENT}.jsonl`]: parent(details, usage(0.3)),
      [runFile("r1", 0)]: child("c1", 10, 0.1),
      [runFile("r1", 1)]: child("c2", 10, 0.2),
    });
    expect([await world.cost(), ...world.orders]).toEqual(["0.33", ...SAME]);
  });

  it("counts a background run once that its start and its end report", async () => {
    const run = { runId: "r1" };
    const lines = [
      ...parent({ ...run, results: [childRun(0)] }),
      reply("a0000005", "a0000004", 40, { cost: 0.01, calls: [call("t2", "bg_wait")] }),
      toolResult("a0000006", "a0000005", 50, "t2", {
        toolName: "bg_wait",
        details: { completions: [{ ...run, results: [childRun(0.4)] }] },
        usage: usage(0.4),
      }),
    ];
    const world = await loadInAllOrders({ [`${PARENT}.jsonl`]: lines });
    expect(await world.cost()).toBe("0.44");
    const withFile = await loadInAllOrders({
      [`${PARENT}.jsonl`]: lines,
      [runFile("r1", 0)]: child("c1", 10, 0.4),
    });
    expect([await withFile.cost(), ...withFile.orders]).toEqual(["0.44", ...SAME]);
  });

  it("counts a background run once that its two ends report in full", async () => {
    const run = { runId: "r1" };
    const lines = [
      ...parent({ ...run, results: [childRun(0.4)] }, usage(0.4)),
      reply("a0000005", "a0000004", 40, { cost: 0.01, calls: [call("t2", "bg_wait")] }),
      toolResult("a0000006", "a0000005", 50, "t2", {
        toolName: "bg_wait",
        details: { completions: [{ ...run, results: [childRun(0.4)] }] },
        usage: usage(0.4),
      }),
    ];
    const world = await loadInAllOrders({ [`${PARENT}.jsonl`]: lines });
    expect(await world.cost()).toBe("0.44");
  });

  it.each([
    [0.3, "0.33", {}],
    [0.5, "0.53", { tool_result: "0.2" }],
    [0.1, "0.33", {}],
  ])(
    "counts a carrier of %s beyond the files of its run, which it does not report one by one",
    async (carrier, total, sources) => {
      const world = await loadInAllOrders({
        [`${PARENT}.jsonl`]: parent({ runId: "r1" }, usage(carrier)),
        [runFile("r1", 0)]: child("c1", 10, 0.1),
        [runFile("r1", 1)]: child("c2", 10, 0.2),
      });
      expect([await world.cost(), ...world.orders]).toEqual([total, ...SAME]);
      const rows = await world.rows(BY_SOURCE);
      expect(Object.fromEntries(rows.map((row) => [row["source"], row["cost"]]))).toEqual({
        assistant: "0.33",
        ...sources,
      });
    },
  );

  it("counts a carrier beyond its reports and the files of its run that none of them is about", async () => {
    const world = await loadInAllOrders({
      [`${PARENT}.jsonl`]: parent({ runId: "r1", results: [childRun(0.1)] }, usage(0.35)),
      [runFile("r1", 0)]: child("c1", 10, 0.1),
      [runFile("r1", 1)]: child("c2", 10, 0.2),
      [runFile("r2", 0)]: child("c3", 10, 0.4),
      [runFile("r1", 2)]: child("c4", 31, 0.8),
    });
    expect(await world.cost()).toBe("1.58");
  });
});
