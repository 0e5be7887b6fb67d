import { at, atMs, usage } from "../../support/build-records.js";

type Fields = Record<string, unknown>;

/** A secret that tells where it was planted. */
export function secret(place: string): string {
  return `S3CR3T ${place} hunter2`;
}

/** What all secrets begin with, and what they end with. */
export const SECRET_MARKS = ["S3CR3T", "hunter2"] as const;

let seconds = 0;

function record(type: string, fields: Fields): Fields {
  seconds += 1;
  const id = `a${String(seconds).padStart(7, "0")}`;
  const parentId = seconds === 1 ? null : `a${String(seconds - 1).padStart(7, "0")}`;
  return {
    type,
    id,
    parentId,
    timestamp: at(seconds),
    ...fields,
    [secret("key of an entry")]: secret("field of an entry"),
  };
}

function message(role: string, fields: Fields): Fields {
  return record("message", {
    message: {
      role,
      timestamp: atMs(seconds),
      ...fields,
      [secret("key of a message")]: secret("field of a message"),
    },
  });
}

function oddUsage(place: string): Fields {
  return {
    ...usage(0.5),
    input: secret(`${place} tokens`),
    cacheRead: { [secret(`${place} key of tokens`)]: 1 },
    cost: {
      total: secret(`${place} cost`),
      input: secret(`${place} part of a cost`),
      note: secret(`${place} note of a cost`),
    },
    [secret(`${place} key of a usage`)]: secret(`${place} field of a usage`),
  };
}

const blocks = (place: string): unknown[] => [
  {
    type: "text",
    text: secret(`${place} text`),
    textSignature: secret(`${place} text signature`),
    more: secret(place),
  },
  {
    type: "thinking",
    thinking: secret(`${place} thinking`),
    thinkingSignature: secret(`${place} thinking signature`),
  },
  {
    type: "image",
    data: Buffer.from(secret(`${place} image`)).toString("base64"),
    mimeType: secret(`${place} mime`),
  },
  { type: "diagram", body: secret(`${place} unknown block`) },
  secret(`${place} block that is a text`),
];

function toolCall(id: string): Fields {
  return {
    type: "toolCall",
    id,
    name: "bash",
    arguments: {
      command: secret("argument"),
      path: secret("path argument"),
      [secret("key of an argument")]: [secret("list argument")],
    },
    argumentsError: secret("arguments error"),
    thoughtSignature: secret("thought signature"),
  };
}

const DETAILS: Fields = {
  diff: secret("diff"),
  runId: "run1",
  results: [
    {
      agent: "scout",
      task: secret("task"),
      stderr: secret("stderr"),
      error: secret("error of a child"),
      errorMessage: secret("error message of a child"),
      messages: [{ role: "assistant", content: secret("message of a child") }],
      usage: oddUsage("child"),
      exitCode: 1,
      index: secret("index"),
    },
  ],
  [secret("key of details")]: secret("details"),
};

const NESTED: Fields = {
  calls: [
    {
      id: "c1/1",
      name: "read",
      status: secret("status of a nested call"),
      arguments: { path: secret("nested path") },
      error: secret("nested error"),
      more: secret("nested more"),
    },
    {
      id: "c1/2",
      name: "read",
      status: "error",
      argumentsBytes: secret("argument bytes"),
      durationMs: secret("duration"),
    },
    secret("nested call that is a text"),
  ],
  complete: secret("complete"),
};

/** A session with a secret in every place that words of people, models and tools can take. */
export function secretSession(): string {
  seconds = 0;
  const records = [
    {
      type: "session",
      version: 3,
      id: "s0000001",
      timestamp: "2026-01-05T09:00:00.000Z",
      cwd: "/home/ada/shop",
      note: secret("header"),
      [secret("key of the header")]: 1,
    },
    message("system", {
      content: secret("system"),
      sections: { [secret("section name")]: secret("section") },
      toolsAdded: [{ name: secret("tool"), description: secret("tool description") }],
    }),
    message("user", { content: secret("prompt") }),
    message("user", { content: blocks("prompt") }),
    message("user", {
      content: `<skill name="audit" location="/skills/audit">\n${secret("skill body")}\n</skill>\n\n${secret("skill arguments")}`,
    }),
    message("assistant", {
      content: [
        ...blocks("reply"),
        toolCall("c1"),
        toolCall("c2"),
        { ...toolCall(""), id: { [secret("id of a call")]: 1 }, name: [secret("name of a call")] },
      ],
      provider: "anthropic",
      model: "claude-opus-5",
      stopReason: "toolUse",
      usage: oddUsage("reply"),
      diagnostics: [{ error: { message: secret("diagnostic"), stack: secret("stack") } }],
      deferred: { data: secret("deferred") },
    }),
    message("toolResult", {
      toolCallId: "c1",
      toolName: "bash",
      content: blocks("result"),
      isError: false,
      details: DETAILS,
      usage: oddUsage("result"),
      nestedCalls: NESTED,
    }),
    message("toolResult", {
      toolCallId: "c2",
      toolName: "bash",
      content: [{ type: "text", text: secret("failed result") }],
      isError: true,
      details: secret("details that are a text"),
    }),
    message("toolResult", {
      toolCallId: "gone",
      toolName: "bash",
      content: secret("result without a call"),
      isError: secret("error flag"),
    }),
    message("assistant", {
      content: [],
      provider: "p",
      model: "m",
      stopReason: "error",
      errorMessage: `500 ${secret("error message")}`,
      usage: secret("usage that is a text"),
    }),
    message("bashExecution", {
      command: secret("command"),
      output: secret("output"),
      exitCode: secret("exit code"),
      cancelled: secret("cancelled"),
    }),
    message("custom", {
      customType: "note",
      content: secret("custom"),
      display: secret("display"),
      details: { a: secret("custom details") },
    }),
    message("hookMessage", { customType: "note", content: blocks("hook"), display: true }),
    message("poet", { content: secret("unknown role"), verse: secret("field of an unknown role") }),
    record("message", { message: secret("message that is a text") }),
    record("compaction", {
      summary: secret("summary"),
      tokensBefore: secret("tokens before"),
      details: { readFiles: [secret("read file")] },
      usage: oddUsage("summary"),
      systemMessage: { content: secret("system message") },
    }),
    record("branch_summary", {
      summary: secret("branch summary"),
      fromId: "a0000002",
      details: secret("details"),
      usage: oddUsage("branch"),
    }),
    record("custom", { customType: "state", data: { [secret("key of data")]: secret("data") } }),
    record("custom_message", {
      customType: "note",
      content: blocks("custom message"),
      display: true,
      details: secret("details of a message"),
    }),
    record("label", { targetId: "a0000002", label: secret("label") }),
    record("session_info", { name: secret("name of the session") }),
    record("usage", {
      kind: "cache_warm",
      provider: "p",
      model: "m",
      usage: oddUsage("entry"),
      note: secret("note of a usage"),
    }),
    record("context_edit", { targetId: "a0000002", replacement: { content: secret("replacement") } }),
    record("model_change", { provider: "p", modelId: { a: secret("model that is an object") } }),
    record("thinking_level_change", { thinkingLevel: [secret("level that is a list")] }),
    record("plan_update", { plan: [{ step: secret("plan") }] }),
    record("label", {
      timestamp: secret("time"),
      targetId: { a: secret("target that is an object") },
      label: [secret("label that is a list")],
    }),
    record("label", { timestamp: { a: secret("time that is an object") }, label: "x" }),
    { ...record("label", { label: "x" }), parentId: { a: secret("parent that is an object") } },
    { ...record("label", { label: "x" }), parentId: [secret("parent that is a list")] },
    { ...record("label", { label: "x" }), id: { a: secret("id that is an object") } },
    { ...record("custom", {}), type: { a: secret("type that is an object") } },
    { type: "session", id: "s2", note: secret("second header") },
  ];
  const lines = records.map((line) => JSON.stringify(line));
  lines.splice(
    6,
    0,
    `{"type":"message","text":"${secret("bad line")}`,
    `"${secret("line that is a text")}"`,
    `["${secret("line that is a list")}"]`,
    `{"a":1} ${secret("text after a value")}`,
  );
  return `${lines.join("\n")}\n{"type":"message","content":"${secret("line still being written")}`;
}

/** Of version 1, which has no ids. */
export function secretOldSession(): string {
  const header = {
    type: "session",
    id: "s0000002",
    timestamp: "2025-06-01T10:00:00.000Z",
    cwd: "/home/ada/shop",
    systemPrompt: secret("old header"),
  };
  const old = [
    {
      type: "message",
      id: secret("id of version 1"),
      parentId: secret("parent of version 1"),
      timestamp: "2025-06-01T10:01:00.000Z",
      message: { role: "user", content: secret("old prompt"), timestamp: 1 },
    },
    {
      type: "message",
      timestamp: secret("old time"),
      message: {
        role: "assistant",
        content: secret("old reply"),
        usage: oddUsage("old"),
        timestamp: secret("old message time"),
      },
    },
    {
      type: "compaction",
      timestamp: "2025-06-01T10:02:00.000Z",
      summary: secret("old summary"),
      firstKeptEntryIndex: secret("old index"),
    },
  ];
  return [header, ...old].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Files that are no sessions, which leave nothing but their names. */
export const OTHER_FILES: Readonly<Record<string, string>> = {
  "notes.jsonl": `${secret("no session")}\n{"note":"${secret("object of no session")}"}\n`,
  "events.jsonl": `{"type":"agent_start","text":"${secret("event")}"}\n`,
};
