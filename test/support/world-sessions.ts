import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export type Line = Readonly<Record<string, unknown>>;

const START_MS = Date.parse("2026-01-05T09:00:00.000Z");

/** Instant as Pi writes it, so many seconds after nine o'clock on 5 January 2026. */
export function at(seconds: number): string {
  return new Date(START_MS + seconds * 1000).toISOString();
}

export function millis(seconds: number): number {
  return START_MS + seconds * 1000;
}

/** Header of a session in /home/ada/shop. */
export function header(id: string, seconds: number, fields: Line = {}): Line {
  return { type: "session", version: 3, id, timestamp: at(seconds), cwd: "/home/ada/shop", ...fields };
}

export function user(id: string, parentId: string | null, seconds: number, text = "go on"): Line {
  return {
    type: "message",
    id,
    parentId,
    timestamp: at(seconds),
    message: { role: "user", content: [{ type: "text", text }], timestamp: millis(seconds) },
  };
}

export interface ReplyFacts {
  readonly cost?: number;
  readonly input?: number;
  readonly output?: number;
  readonly text?: string;
  readonly calls?: readonly Line[];
  /** Fields of the message that come over those made here. */
  readonly message?: Line;
}

/** A reply that took a second. */
export function reply(id: string, parentId: string | null, seconds: number, facts: ReplyFacts = {}): Line {
  const { cost = 0.01, input = 100, output = 10, text = "done", calls = [], message = {} } = facts;
  return {
    type: "message",
    id,
    parentId,
    timestamp: at(seconds),
    message: {
      role: "assistant",
      content: [...(text === "" ? [] : [{ type: "text", text }]), ...calls],
      api: "acme",
      provider: "acme",
      model: "good",
      usage: usage(cost, input, output),
      stopReason: calls.length > 0 ? "toolUse" : "stop",
      timestamp: millis(seconds - 1),
      ...message,
    },
  };
}

export function usage(cost: number, input = 100, output = 10): Line {
  return {
    input,
    output,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: input + output,
    cost: { input: cost, output: 0, cacheRead: 0, cacheWrite: 0, total: cost },
  };
}

export function call(id: string, name: string, args: Line = {}): Line {
  return { type: "toolCall", id, name, arguments: args };
}

export function toolResult(
  id: string,
  parentId: string | null,
  seconds: number,
  callId: string,
  message: Line = {},
): Line {
  return {
    type: "message",
    id,
    parentId,
    timestamp: at(seconds),
    message: {
      role: "toolResult",
      toolCallId: callId,
      toolName: "subagent",
      content: [{ type: "text", text: "ok" }],
      isError: false,
      timestamp: millis(seconds),
      ...message,
    },
  };
}

export function label(
  id: string,
  parentId: string | null,
  seconds: number,
  targetId: string,
  text?: string,
): Line {
  return {
    type: "label",
    id,
    parentId,
    timestamp: at(seconds),
    targetId,
    ...(text !== undefined && { label: text }),
  };
}

/** A session whose replies cost these sums. */
export function session(id: string, seconds: number, ...costs: readonly number[]): readonly Line[] {
  const records = costs.map((cost, index) =>
    reply(`${id}r${index}`, index === 0 ? `${id}u` : `${id}r${index - 1}`, seconds + 3 + index, { cost }),
  );
  return [header(id, seconds), user(`${id}u`, null, seconds + 1), ...records];
}

/** What a sub-agent's run is reported as in the details of a tool result. */
export function childRun(cost: number, fields: Line = {}): Line {
  return {
    agent: "scout",
    task: "look",
    exitCode: 0,
    usage: { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, cost, turns: 1 },
    ...fields,
  };
}

/** A record as version 1 wrote it: no id, no parent. */
export function asVersion1(line: Line): Line {
  const { id: _id, parentId: _parentId, ...rest } = line;
  return rest;
}

export function jsonl(lines: readonly Line[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

export function writeSession(path: string, lines: readonly Line[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, jsonl(lines));
}
