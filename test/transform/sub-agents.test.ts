import { describe, expect, it } from "vitest";
import { toolResult, usage } from "../support/build-records.js";
import { pick, readEntries } from "../support/read-rows.js";

const SPENT = { input: 30, output: 5, cacheRead: 0, cacheWrite: 0, cost: 0.05, turns: 2 };

function usageOf(details: unknown, fields = {}) {
  return readEntries(toolResult("a0000001", null, "c1", { details, ...fields })).usage;
}

describe("sub-agents in the details of a result", () => {
  it("give one row per run, whatever the tool is called", () => {
    const rows = usageOf(
      {
        runId: "7f3a",
        results: [
          {
            index: 4,
            agent: "scout",
            exitCode: 0,
            usage: SPENT,
            model: "zai/glm-5:high",
            stopReason: "stop",
          },
          { agent: "critic", exitCode: 1, usage: SPENT, model: "glm-5", sessionFile: "/s/c.jsonl" },
        ],
      },
      { toolName: "delegate" },
    );
    expect(
      pick(
        rows,
        ..."source usage_seq tool_name subagent_name subagent_run_id subagent_run_index provider model_id".split(
          " ",
        ),
        ..."turn_count input_tokens cost_usd request_count stop_reason is_failed child_session_path".split(
          " ",
        ),
      ),
    ).toEqual([
      {
        source: "subagent",
        usage_seq: 2,
        tool_name: "delegate",
        subagent_name: "scout",
        subagent_run_id: "7f3a",
        subagent_run_index: 4,
        provider: "zai",
        model_id: "glm-5",
        turn_count: 2,
        input_tokens: 30,
        cost_usd: 0.05,
        request_count: 0,
        stop_reason: "stop",
        is_failed: false,
        child_session_path: null,
      },
      {
        source: "subagent",
        usage_seq: 4,
        tool_name: "delegate",
        subagent_name: "critic",
        subagent_run_id: "7f3a",
        subagent_run_index: 1,
        provider: null,
        model_id: "glm-5",
        turn_count: 2,
        input_tokens: 30,
        cost_usd: 0.05,
        request_count: 0,
        stop_reason: null,
        is_failed: true,
        child_session_path: "/s/c.jsonl",
      },
    ]);
  });

  it("stand beside the result's own usage", () => {
    const rows = usageOf({ results: [{ agent: "scout", usage: SPENT }] }, { usage: usage(0.05) });
    expect(pick(rows, "source", "usage_seq")).toEqual([
      { source: "tool_result", usage_seq: 0 },
      { source: "subagent", usage_seq: 2 },
    ]);
  });

  it("are found in the results of background runs", () => {
    const rows = usageOf({
      completions: [
        { runId: "r1", results: [{ agent: "a", usage: SPENT }] },
        {
          id: "r2",
          results: [
            { agent: "b", usage: SPENT },
            { agent: "c", usage: SPENT },
          ],
        },
      ],
    });
    expect(pick(rows, "usage_seq", "subagent_run_id", "subagent_run_index")).toEqual([
      { usage_seq: 2, subagent_run_id: "r1", subagent_run_index: 0 },
      { usage_seq: 4, subagent_run_id: "r2", subagent_run_index: 0 },
      { usage_seq: 6, subagent_run_id: "r2", subagent_run_index: 1 },
    ]);
  });

  it("are not counted again from messages, attempts, totals and shown calls", () => {
    const rows = usageOf({
      results: [
        { agent: "a", usage: SPENT, messages: [{ usage: usage(1) }], modelAttempts: [{ usage: SPENT }] },
      ],
      totalChildUsage: SPENT,
      totalCost: { costUsd: 1 },
      calls: [{ name: "bash", usage: SPENT }],
    });
    expect(rows.length).toBe(1);
  });

  it("count without usage only where a finished run names its session", () => {
    const rows = usageOf({
      results: [
        { agent: "a", status: "completed", sessionFile: "/s/a.jsonl" },
        { agent: "b", status: "running", sessionFile: "/s/b.jsonl" },
        { agent: "c", status: "completed" },
        { agent: "d", usage: {} },
        "e",
      ],
    });
    expect(pick(rows, "subagent_name", "cost_status", "usage_seq")).toEqual([
      { subagent_name: "a", cost_status: "missing", usage_seq: 2 },
    ]);
  });

  it.each([
    [{ exitCode: 0 }, false],
    [{ exitCode: 3 }, true],
    [{ exitCode: null }, false],
    [{ exitCode: null, errorMessage: "boom" }, true],
    [{ exitCode: 0, stopReason: "aborted" }, true],
    [{ stopReason: "error" }, true],
    [{ status: "failed" }, true],
  ])("%j: failed %s", (fields, isFailed) => {
    expect(usageOf({ results: [{ usage: SPENT, ...fields }] })[0]?.["is_failed"]).toBe(isFailed);
  });
});
