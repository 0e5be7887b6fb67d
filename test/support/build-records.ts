export type Fields = Readonly<Record<string, unknown>>;

const START_MS = Date.UTC(2026, 0, 5, 9, 0, 0);

/** The time of the nth second of the session, as entries write it. */
export function at(second: number): string {
  return new Date(START_MS + second * 1_000).toISOString();
}

/** The same as messages write it. */
export function atMs(second: number): number {
  return START_MS + second * 1_000;
}

/** An entry whose second is the number in its id, as in `a0000003`. */
export function entry(type: string, id: string, parentId: string | null, fields: Fields = {}): Fields {
  return { type, id, parentId, timestamp: at(secondOf(id)), ...fields };
}

export function message(id: string, parentId: string | null, fields: Fields): Fields {
  return entry("message", id, parentId, { message: { timestamp: atMs(secondOf(id)), ...fields } });
}

export function user(id: string, parentId: string | null, content: unknown = "go on"): Fields {
  return message(id, parentId, { role: "user", content });
}

export function usage(total: number): Fields {
  const cost = { input: total, output: 0, cacheRead: 0, cacheWrite: 0, total };
  return { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, totalTokens: 110, cost };
}

export function assistant(id: string, parentId: string | null, fields: Fields = {}): Fields {
  return message(id, parentId, {
    role: "assistant",
    content: [{ type: "text", text: "done" }],
    api: "anthropic-messages",
    provider: "anthropic",
    model: "claude-opus-5",
    usage: usage(0.25),
    stopReason: "stop",
    ...fields,
  });
}

/** A reply that calls one tool. */
export function calling(id: string, parentId: string | null, callId: string, args: unknown = {}): Fields {
  const call = { type: "toolCall", id: callId, name: "bash", arguments: args };
  return assistant(id, parentId, { content: [call], stopReason: "toolUse" });
}

export function toolResult(id: string, parentId: string | null, callId: string, fields: Fields = {}): Fields {
  return message(id, parentId, {
    role: "toolResult",
    toolCallId: callId,
    toolName: "bash",
    content: [{ type: "text", text: "ok" }],
    isError: false,
    ...fields,
  });
}

function secondOf(id: string): number {
  return Number(id.slice(1));
}
