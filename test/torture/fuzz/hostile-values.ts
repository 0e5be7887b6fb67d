/** Stands in a value for JSON text that JSON.stringify can't write, such as a number beyond the doubles. */
export function raw(json: string): string {
  return `@raw ${json}@`;
}

/** JSON text of a value, raw parts put in. */
export function toText(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"@raw (.*?)@"/g, (_all, json: string) =>
    json.replaceAll('\\"', '"'),
  );
}

export function nested(depth: number): string {
  return raw(`${'{"a":['.repeat(depth / 2)}1${"]}".repeat(depth / 2)}`);
}

const NUMBERS = [
  ...[
    0,
    -1,
    1.5,
    -0.5,
    0.1 + 0.2,
    1e21,
    -1e21,
    2 ** 31,
    2 ** 31 - 1,
    -(2 ** 31) - 1,
    2 ** 53,
    2 ** 53 - 1,
    1e9,
  ],
  ...[
    999_999, 999_999.999_999_999_9, 1_000_000, 1e-12, 8.64e15, 4_102_444_800_000, 86_400_000,
    253_402_300_799_999,
  ],
  ...["-0", "1e400", "-1e400", "1e-400", "9007199254740993", "0.30000000000000004e1", "1E+2"].map(raw),
] as const;

const WORDS = [
  ...[
    "",
    " ",
    "\u0000",
    "\ud800",
    "\udc00x",
    "x\ud83d",
    "\ufeff",
    "\u2028",
    "\u202e",
    "%s",
    "NaN",
    "null",
    "12",
    "-1",
  ],
  ...["__proto__", "constructor", "toString", "root", "~1-00000000", "(none)", "a0000002", "f7a00001"],
  ...[
    "'; drop table base.usage; --",
    '"',
    "\\",
    "\n",
    "../../etc/passwd",
    "<script>",
    "$".concat("{x}"),
    "{}",
  ],
  ...[
    "error",
    "aborted",
    "stop",
    "deferred",
    "cache_warm",
    "read",
    "bash",
    "ollama/x:high",
    "/",
    "a/",
    "done",
  ],
  "é".repeat(70_000),
  "x".repeat(3_000),
] as const;

const TIMES = [
  ...[
    "2026-01-05T09:00:00.000Z",
    "2026-02-30T09:00:00.000Z",
    "9999-12-31T23:59:59.999Z",
    "2026-01-05T24:00:00.000Z",
  ],
  ...[
    "+275760-09-13T00:00:00.000Z",
    "0000-00-00T00:00:00.000Z",
    "1969-12-31T23:59:59.999Z",
    "2026-01-05",
    "5 Jan",
  ],
  ...[
    "2026-01-05T09:00:00",
    "2026-01-05T09:00:00.123456789+05:30",
    "2099-12-31T23:59:59.999Z",
    "2026-13-45T99:99:99Z",
  ],
] as const;

const SHAPES = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  { total: -1 },
  { total: "1" },
  { input: 1, total: raw("1e400") },
  { type: "session", id: "s9" },
  { type: "toolCall", id: "c1", name: "bash", arguments: { path: "a" } },
  { type: "text", text: "more" },
  { type: "image", data: "AAAA", mimeType: "image/png" },
  [{ type: "text", text: "more" }, null, 7, { type: "thinking", thinking: "hm", thinkingSignature: "x" }],
  {
    results: [{ agent: "a", usage: { cost: 1 }, sessionFile: "/x/run-0/a.jsonl", status: "done" }],
    runId: "r",
  },
  { completions: [{ runId: "r", results: [{ usage: { input: 1, cost: { total: 2 } } }] }] },
  { calls: [{ id: "c1/1", name: "x", status: "ok", arguments: {} }, null, { error: 7 }] },
  raw('{"__proto__":{"type":"session","id":"s8"},"constructor":{"prototype":{"x":1}}}'),
  raw('{"a":1,"a":2,"a":{"a":3}}'),
  nested(100),
  nested(1_990),
  nested(2_400),
  nested(12_000),
  Array.from({ length: 300 }, (_, index) => index),
  Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, index])),
] as const;

export const HOSTILE_VALUES: readonly unknown[] = [...NUMBERS, ...WORDS, ...TIMES, ...SHAPES];

/** Names that engines treat in a way of their own, and names that mean something elsewhere. */
export const HOSTILE_KEYS: readonly string[] = [
  ...[
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "toJSON",
    "valueOf",
    "hasOwnProperty",
    "length",
    "then",
    "",
  ],
  ...[
    "\u0000",
    "\ud800",
    "'",
    "type",
    "id",
    "parentId",
    "timestamp",
    "message",
    "role",
    "content",
    "usage",
    "cost",
  ],
  ...[
    "toolCallId",
    "toolName",
    "details",
    "results",
    "completions",
    "sessionFile",
    "nestedCalls",
    "calls",
    "targetId",
  ],
  ...[
    "replacement",
    "firstKeptEntryId",
    "firstKeptEntryIndex",
    "version",
    "cwd",
    "parentSession",
    "branchedFrom",
    "v",
  ],
  ...[
    "text",
    "thinking",
    "thinkingSignature",
    "data",
    "name",
    "label",
    "summary",
    "fromId",
    "total",
    "input",
    "x".repeat(70_000),
  ],
];

/** Values that other types and roles carry, to put a record into the wrong clothes. */
export const TYPES: readonly string[] = [
  ...[
    "session",
    "message",
    "model_change",
    "thinking_level_change",
    "compaction",
    "branch_summary",
    "custom",
  ],
  ...[
    "custom_message",
    "label",
    "session_info",
    "usage",
    "context_edit",
    "agent_start",
    "plan_update",
    "__proto__",
    "",
  ],
];
export const ROLES: readonly string[] = [
  ...["user", "assistant", "toolResult", "bashExecution", "custom", "hookMessage", "system", "toString", ""],
];
