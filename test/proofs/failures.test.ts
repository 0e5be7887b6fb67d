import { describe, expect, it } from "vitest";
import { loadedWorld, loadInAllOrders } from "../support/proof-world.js";
import { at, header, type Line, reply, session, user } from "../support/world-sessions.js";

function failed(id: string, parentId: string, seconds: number, message: Line = {}): Line {
  const facts = {
    stopReason: "error",
    errorMessage: "429 too many requests, try in 3 s",
    content: [],
    ...message,
  };
  return reply(id, parentId, seconds, { cost: 0, input: 0, output: 0, message: facts });
}

const FAILED = `select entry_id, stop_reason, error_class, is_retried, retry_succeeded, cost_usd as cost
  from v1.failed_requests order by occurred_at`;

describe("failed requests", () => {
  it("are retried where another request follows before the next prompt, at first or at last with success", async () => {
    const world = await loadInAllOrders({
      "a.jsonl": [
        header("s0000001", 0),
        user("a1", null, 1),
        failed("a2", "a1", 3),
        {
          type: "context_edit",
          id: "a3",
          parentId: "a2",
          timestamp: at(4),
          targetId: "a2",
          replacement: null,
        },
        failed("a4", "a3", 6),
        reply("a5", "a4", 9),
        user("a6", "a5", 10),
        failed("a7", "a6", 12),
        user("a8", "a7", 20),
        failed("a9", "a8", 22, { stopReason: "aborted", errorMessage: "Request was aborted" }),
      ],
    });
    expect(await world.rows(FAILED)).toEqual([
      {
        entry_id: "a2",
        stop_reason: "error",
        error_class: "rate_limit",
        is_retried: true,
        retry_succeeded: true,
        cost: "0",
      },
      {
        entry_id: "a4",
        stop_reason: "error",
        error_class: "rate_limit",
        is_retried: true,
        retry_succeeded: true,
        cost: "0",
      },
      {
        entry_id: "a7",
        stop_reason: "error",
        error_class: "rate_limit",
        is_retried: false,
        retry_succeeded: false,
        cost: "0",
      },
      {
        entry_id: "a9",
        stop_reason: "aborted",
        error_class: "aborted",
        is_retried: false,
        retry_succeeded: false,
        cost: "0",
      },
    ]);
    expect(
      await world.rows(
        "select distinct error_message_normalized is null as is_null from v1.failed_requests where stop_reason = 'error'",
      ),
    ).toEqual([{ is_null: false }]);
  });

  it("cost what they say, and count once where a fork holds them too", async () => {
    const lines = [
      user("a1", null, 1),
      reply("a2", "a1", 3, { cost: 0.25, message: { stopReason: "error", errorMessage: "503 overloaded" } }),
      reply("a3", "a2", 5, { cost: 0.05 }),
    ];
    const world = await loadInAllOrders({
      "a.jsonl": [header("s0000001", 0), ...lines],
      "b.jsonl": [header("s0000002", 9, { parentSession: "/x/a.jsonl" }), ...lines, user("b1", "a3", 10)],
    });
    expect([await world.cost(), ...world.orders]).toEqual(["0.3", "the same tables", "the same tables"]);
    expect(await world.rows("select request_count, failed_request_count from v1.failure_rate_daily")).toEqual(
      [{ request_count: "2", failed_request_count: "1" }],
    );
    expect(
      await world.rows(
        "select session_id, failed_cost_usd as failed, copied_cost_usd as copied from v1.spend_by_session order by 1",
      ),
    ).toEqual([
      { session_id: "s0000001", failed: "0.25", copied: "0" },
      { session_id: "s0000002", failed: "0", copied: "0.3" },
    ]);
  });

  it("are no others than errors and aborts", async () => {
    const words = ["stop", "length", "toolUse", "deferred", "pending", "vibes"];
    const world = await loadedWorld({
      "a.jsonl": [
        header("s0000001", 0),
        ...words.map((stopReason, index) => reply(`a${index}`, null, 3 + index, { message: { stopReason } })),
      ],
    });
    expect(await world.rows("select * from v1.failed_requests")).toEqual([]);
    expect(
      await world.rows("select request_count, reply_count from v1.sessions where session_id = 's0000001'"),
    ).toEqual([{ request_count: "6", reply_count: "4" }]);
  });
});

describe("headers", () => {
  it("are found in the first ten lines, and not after them", async () => {
    const [head = {}, ...records] = session("s0000001", 0, 0.01);
    const [late = {}, ...others] = session("s0000003", 0, 0.02);
    const junk = Array.from({ length: 9 }, (_value, index) => ({ note: index }));
    const world = await loadedWorld({
      "tenth.jsonl": [...junk, head, ...records],
      "eleventh.jsonl": [...junk, { note: 9 }, late, ...others],
    });
    expect([await world.cost(), await world.value("select count(*) from base.sessions")]).toEqual([
      "0.51",
      "2",
    ]);
  });

  it("of version 2 and of none go before records of those versions", async () => {
    const hook = { role: "hookMessage", customType: "note", content: "hello", display: true };
    const lines = [
      user("a1", null, 1),
      { type: "message", id: "a2", parentId: "a1", timestamp: at(2), message: hook },
      reply("a3", "a2", 4),
    ];
    const world = await loadedWorld({ "a.jsonl": [header("s0000001", 0, { version: 2 }), ...lines] });
    expect(
      await world.rows(
        "select format_version, role from base.sessions inner join base.entries using (session_key) where session_id = 's0000001' order by entry_seq",
      ),
    ).toEqual([
      { format_version: "2", role: "user" },
      { format_version: "2", role: "custom" },
      { format_version: "2", role: "assistant" },
    ]);
  });
});
