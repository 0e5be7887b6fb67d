import { beforeEach, describe, expect, it } from "vitest";

import { queryRows } from "../support/warehouse-rows.js";
import { openWorld, PROJECT, type World } from "../support/world.js";

let world: World;
const ask = (sql: string): Promise<Record<string, unknown>[]> => queryRows(world.connection, sql);

beforeEach(async () => {
  world = await openWorld();
  await world.session("a", [{ id: "a1" }, { id: "a2" }, { id: "a3" }, { id: "a4" }]);
  await world.session("fork", [{ id: "a1" }]);
});

describe("failed requests", () => {
  beforeEach(async () => {
    const limit = { error_class: "rate_limit", error_message_normalized: "429: wait <n> s", is_failed: true };
    await world.messages([
      { session_key: "a", entry_seq: 1, ...limit, is_retried: true, retry_succeeded: true },
      { session_key: "fork", entry_seq: 1, ...limit, is_retried: false, is_copy: true },
      { session_key: "a", entry_seq: 2, is_failed: true, error_class: null },
      { session_key: "a", entry_seq: 3, is_failed: true, error_class: "aborted" },
      { session_key: "a", entry_seq: 4, is_reply: true },
    ]);
    const failed = { is_failed: true, stop_reason: "error", cost_usd: 0, cost_status: "zero" };
    await world.usage([
      { session_key: "a", entry_seq: 1, ...failed },
      { session_key: "fork", entry_seq: 1, ...failed, is_copy: true, not_counted_reason: "copy" },
      { session_key: "a", entry_seq: 2, ...failed },
      {
        session_key: "a",
        entry_seq: 3,
        is_failed: true,
        stop_reason: "aborted",
        cost_usd: 0.035,
        input_tokens: 9,
      },
      { session_key: "a", entry_seq: 4, cost_usd: 1 },
      { session_key: "a", entry_seq: 4, usage_seq: 2, source: "tool_result", is_failed: true },
    ]);
  });

  it("are listed with their class and cost, copies marked", async () => {
    expect(
      await ask(
        `select session_key, entry_seq, stop_reason, error_class, cost_usd, is_retried, retry_succeeded, is_copy
         from v1.failed_requests order by 1, 2`,
      ),
    ).toEqual([
      {
        session_key: "a",
        entry_seq: 1,
        stop_reason: "error",
        error_class: "rate_limit",
        cost_usd: "0.000000000",
        is_retried: true,
        retry_succeeded: true,
        is_copy: false,
      },
      {
        session_key: "a",
        entry_seq: 2,
        stop_reason: "error",
        error_class: "other",
        cost_usd: "0.000000000",
        is_retried: null,
        retry_succeeded: null,
        is_copy: false,
      },
      {
        session_key: "a",
        entry_seq: 3,
        stop_reason: "aborted",
        error_class: "aborted",
        cost_usd: "0.035000000",
        is_retried: null,
        retry_succeeded: null,
        is_copy: false,
      },
      {
        session_key: "fork",
        entry_seq: 1,
        stop_reason: "error",
        error_class: "rate_limit",
        cost_usd: "0.000000000",
        is_retried: false,
        retry_succeeded: null,
        is_copy: true,
      },
    ]);
  });

  it("are counted once a day and model, by class", async () => {
    expect(await ask("from v1.failure_rate_daily")).toEqual([
      {
        occurred_on: "2026-01-05",
        provider: "acme",
        model_id: "good",
        request_count: "4",
        failed_request_count: "3",
        rate_limit_count: "1",
        overloaded_count: "0",
        auth_count: "0",
        quota_count: "0",
        context_length_count: "0",
        network_count: "0",
        server_count: "0",
        aborted_count: "1",
        other_count: "1",
        failure_share: 0.75,
        retried_count: "1",
        retry_succeeded_count: "1",
        failed_cost_usd: "0.035000000",
      },
    ]);
  });
});

describe("v1.tool_failures", () => {
  const call = {
    session_key: "a",
    entry_seq: 1,
    tool_name: "bash",
    has_result: true,
    is_error: false,
    status: "ok",
  };

  it("takes the share of those calls that ended, nested ones included, copies left out", async () => {
    await world.calls([
      { ...call, call_index: 0, is_error: true, status: "error" },
      { ...call, call_index: 1 },
      { ...call, call_index: 2, has_result: false, is_error: null, status: "no_result" },
      {
        ...call,
        call_index: 3,
        has_result: false,
        is_error: null,
        status: "error",
        parent_tool_call_id: "t",
      },
      {
        ...call,
        call_index: 4,
        has_result: false,
        is_error: null,
        status: "unfinished",
        parent_tool_call_id: "t",
      },
      { ...call, call_index: 5, has_result: false, is_error: null, status: "ok", parent_tool_call_id: "t" },
      { ...call, session_key: "fork", call_index: 0, is_error: true, is_copy: true },
      { ...call, call_index: 6, tool_name: null, has_result: false, status: "no_result" },
    ]);
    expect(
      await ask(
        `select tool_name, project_path, call_count, failed_count, failure_share, no_result_count, nested_call_count
         from v1.tool_failures order by 1`,
      ),
    ).toEqual([
      {
        tool_name: "(unknown)",
        project_path: PROJECT,
        call_count: "1",
        failed_count: "0",
        failure_share: null,
        no_result_count: "1",
        nested_call_count: "0",
      },
      {
        tool_name: "bash",
        project_path: PROJECT,
        call_count: "6",
        failed_count: "2",
        failure_share: 0.5,
        no_result_count: "2",
        nested_call_count: "3",
      },
    ]);
  });

  it("gives percentiles by nearest rank", async () => {
    const durations = [50, 10, 40, 20, 30];
    await world.calls(durations.map((duration_ms, call_index) => ({ ...call, call_index, duration_ms })));
    await world.calls([{ ...call, call_index: 9 }]);
    expect(await ask("select p50_duration_ms, p95_duration_ms from v1.tool_failures")).toEqual([
      { p50_duration_ms: "30", p95_duration_ms: "50" },
    ]);
  });

  it("takes the lower of two middle durations", async () => {
    await world.calls([20, 10].map((duration_ms, call_index) => ({ ...call, call_index, duration_ms })));
    expect(await ask("select p50_duration_ms from v1.tool_failures")).toEqual([{ p50_duration_ms: "10" }]);
  });
});

describe("v1.shell_failures", () => {
  it("lists commands of the user that failed or were cancelled", async () => {
    const shell = { session_key: "a", role: "bashExecution" };
    await world.messages([
      { ...shell, entry_seq: 1, command: "true", exit_code: 0, is_cancelled: false },
      { ...shell, entry_seq: 2, command: "false", exit_code: 1, is_cancelled: false },
      { ...shell, entry_seq: 3, command: "sleep 9", exit_code: null, is_cancelled: true },
    ]);
    expect(
      await ask(
        "select entry_seq, command, exit_code, is_cancelled, is_copy from v1.shell_failures order by 1",
      ),
    ).toEqual([
      { entry_seq: 2, command: "false", exit_code: "1", is_cancelled: false, is_copy: false },
      { entry_seq: 3, command: "sleep 9", exit_code: null, is_cancelled: true, is_copy: false },
    ]);
  });
});
