import { describe, expect, it } from "vitest";
import { type Files, openWorld } from "../support/proof-world.js";
import {
  at,
  call,
  childRun,
  header,
  type Line,
  millis,
  reply,
  toolResult,
  usage,
  user,
} from "../support/world-sessions.js";
import { child, PARENT, parent, reported, runFile } from "../support/world-subagents.js";

const message = (id: string, parentId: string | null, seconds: number, fields: Line): Line => ({
  type: "message",
  id,
  parentId,
  timestamp: at(seconds),
  message: { timestamp: millis(seconds), ...fields },
});
const withEdits: readonly Line[] = [
  header("s1", 0),
  message("sy", null, 1, { role: "system", content: "old" }),
  user("u1", "sy", 2),
  reply("r1", "u1", 4, { cost: 0.01 }),
  user("u2", "r1", 5),
  reply("r2", "u2", 7, { cost: 0.02 }),
  {
    type: "compaction",
    id: "k1",
    parentId: "r2",
    timestamp: at(8),
    summary: "s",
    firstKeptEntryId: "u2",
    tokensBefore: 50,
    usage: usage(0.04),
    systemMessage: { role: "system", content: "new" },
  },
  user("u3", "k1", 9),
  reply("r3", "u3", 11, { cost: 0.08 }),
  message("b1", "r3", 12, {
    role: "bashExecution",
    command: "ls",
    output: "x",
    exitCode: 0,
    cancelled: false,
    truncated: false,
  }),
  message("b2", "b1", 13, {
    role: "bashExecution",
    command: "ls",
    output: "x",
    exitCode: 2,
    cancelled: false,
    truncated: false,
    excludeFromContext: true,
  }),
  { type: "context_edit", id: "e1", parentId: "b2", timestamp: at(14), targetId: "u2", replacement: null },
  {
    type: "context_edit",
    id: "e2",
    parentId: "e1",
    timestamp: at(15),
    targetId: "r3",
    replacement: { content: "short" },
  },
  {
    type: "custom_message",
    id: "c1",
    parentId: "e2",
    timestamp: at(16),
    customType: "x",
    content: "y",
    display: true,
  },
  message("sy2", "c1", 17, { role: "system", content: "more" }),
  {
    type: "branch_summary",
    id: "bs",
    parentId: "sy2",
    timestamp: at(18),
    fromId: "r3",
    summary: "sum",
    usage: usage(0.16),
  },
];
/** Files, and what the views say of them: each answer as one text. */
const worlds: readonly (readonly [string, Files, readonly (readonly [sql: string, answer: string])[]])[] = [
  [
    "a compaction, context edits, system messages, commands and a branch summary",
    { "a.jsonl": withEdits },
    [
      [
        "select string_agg(entry_id || ':' || role || case when is_replaced then '*' else '' end, ' ' order by context_position) from v1.context_entries",
        "k1:compactionSummary r2:assistant u3:user r3:assistant* b1:bashExecution c1:custom sy2:system bs:branchSummary",
      ],
      ["select cost_usd from v1.spend_by_session", "0.31"],
      ["select command || exit_code from v1.shell_failures", "ls2"],
      [
        "select entry_id || tokens_before || cost_usd::double || first_kept_entry_id || is_on_active_branch || is_from_extension from v1.compactions",
        "k1500.04u2truefalse",
      ],
    ],
  ],
  [
    "a jump back, a failure and a second root",
    {
      "a.jsonl": [
        header("s1", 0),
        user("u1", null, 1),
        reply("r1", "u1", 3, { cost: 0.01 }),
        user("u2", "r1", 4),
        reply("r2", "u2", 6, { cost: 0.02 }),
        user("u3", "r1", 7),
        reply("r3", "u3", 9, { cost: 0.04, message: { stopReason: "error", errorMessage: "500 x" } }),
        user("n1", null, 10),
        reply("n2", "n1", 12, { cost: 0.08 }),
      ],
    },
    [
      [
        "select string_agg(entry_id || '<' || from_entry_id || '>' || coalesce(to_entry_id,'-') || '=' || left_behind_cost_usd::double, ' ' order by entry_seq) from v1.jumps",
        "u3<r2>r1=0.02 n1<r3>-=0.05",
      ],
      [
        "select string_agg(leaf_entry_id || is_active || root_entry_id || coalesce(branch_point_entry_id,'-') || entry_count || own_entry_count || own_cost_usd::double, ' ' order by leaf_entry_seq) from v1.branches",
        "r2falseu1-440.03 r3falseu1r1420.04 n2truen1-220.08",
      ],
      [
        "select abandoned_cost_usd || '/' || failed_cost_usd from v1.spend_by_session",
        "0.070000000/0.040000000",
      ],
      [
        "select branch_count || '/' || request_count || '/' || reply_count || '/' || prompt_count from v1.sessions",
        "3/4/3/4",
      ],
    ],
  ],
  [
    "retries, an abort, and replies that are neither",
    {
      "a.jsonl": [
        header("s1", 0),
        user("u1", null, 1),
        reply("r1", "u1", 3, {
          cost: 0,
          text: "",
          message: { stopReason: "error", errorMessage: "529 overloaded" },
        }),
        reply("r2", "r1", 5, { cost: 0.5, message: { stopReason: "aborted" } }),
        reply("r3", "r2", 8, { cost: 0.1 }),
        user("u2", "r3", 9),
        reply("r4", "u2", 12, { text: "", cost: 0, message: { stopReason: "deferred" } }),
        reply("r5", "r4", 13, { text: "", cost: 0, message: { stopReason: "pending" } }),
        reply("r6", "r5", 14, { cost: 0, text: "", message: { stopReason: "error" } }),
      ],
    },
    [
      [
        "select string_agg(entry_id || error_class || is_retried || retry_succeeded, ' ' order by entry_seq) from v1.failed_requests",
        "r1overloadedtruetrue r2abortedtruetrue r6otherfalsefalse",
      ],
      [
        "select request_count || '/' || failed_request_count || '/' || overloaded_count || '/' || aborted_count || '/' || other_count || '/' || failure_share from v1.failure_rate_daily",
        "6/3/1/1/1/0.5",
      ],
      ["select reply_count from v1.sessions", "1"],
    ],
  ],
  [
    "a skill's turn, a call that failed and one without a result",
    {
      "a.jsonl": [
        header("s1", 0),
        user(
          "u1",
          null,
          1,
          '<skill name="rev" location="/x">\nReferences are relative to /x.\n\nbody\n</skill>\n\nthe args',
        ),
        reply("r1", "u1", 3, {
          cost: 0.01,
          calls: [call("t1", "bash"), call("t2", "bash"), call("t3", "read")],
        }),
        toolResult("x1", "r1", 4, "t1", { toolName: "bash", isError: true, usage: usage(0.1) }),
        toolResult("x2", "x1", 5, "t2", { toolName: "bash", durationMs: 700 }),
        reply("r2", "x2", 8, { cost: 0.02 }),
        user("u2", "r2", 9),
        reply("r3", "u2", 11, { cost: 0.04, calls: [call("t1", "bash")] }),
        toolResult("x3", "r3", 12, "t1", { toolName: "bash" }),
      ],
    },
    [
      [
        "select string_agg(tool_name || call_count || '/' || turn_count || '/' || turn_cost_usd::double || '/' || failed_count, ' ' order by tool_name) from v1.tool_usage",
        "bash3/2/0.17/1 read1/1/0.13/0",
      ],
      [
        "select string_agg(tool_name || call_count || '/' || failed_count || '/' || no_result_count, ' ' order by tool_name) from v1.tool_failures",
        "bash3/1/0 read1/0/1",
      ],
      ["select skill_name || call_count || turn_cost_usd::double from v1.skill_usage", "rev10.13"],
      ["select first_prompt from v1.sessions", "/skill:rev the args"],
    ],
  ],
  [
    "a clone with a copied sub-agent's result",
    {
      [`${PARENT}.jsonl`]: parent({
        runId: "r1",
        results: [childRun(0.1, reported("r1", 0)), childRun(0.2)],
      }),
      [runFile("r1", 0)]: child("c1", 10, 0.1),
      "f.jsonl": [
        header("s9", 100, { parentSession: `/x/${PARENT}.jsonl` }),
        ...parent({ runId: "r1", results: [childRun(0.1, reported("r1", 0)), childRun(0.2)] }).slice(1),
        reply("z9", "a0000004", 102, { cost: 0.4 }),
      ],
    },
    [
      [
        "select string_agg(sessions.session_id || f.generation || '=' || own_cost_usd::double || '/' || family_cost_usd::double || coalesce(f.parent_link,'-'), ' ' order by sessions.session_id) from v1.session_families f inner join base.sessions using (session_key)",
        "c11=0.1/0.73child s00000010=0.23/0.73- s91=0.4/0.73clone",
      ],
      [
        "select string_agg(session_id || ':' || cost_usd::double || '/' || subagent_cost_usd::double || '/' || total_cost_usd::double || '/' || copied_cost_usd::double, ' ' order by session_id) from v1.spend_by_session",
        "c1:0.1/0.0/0.1/0.0 s0000001:0.03/0.3/0.33/0.0 s9:0.4/0.0/0.4/0.33",
      ],
    ],
  ],
];
describe("the views over", () => {
  it.each(worlds)("%s", async (_name, files, questions) => {
    const world = openWorld();
    world.write(files);
    await world.load();
    const answers: unknown[] = [];
    for (const [sql] of questions) answers.push(await world.value(sql));
    expect(answers).toEqual(questions.map(([, answer]) => answer));
  });
});
