import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assistant, calling, toolResult, user } from "../../support/build-records.js";
import { HEADER } from "../../support/read-rows.js";

/** Turns of every session: a prompt, a reply that calls a tool, its result, a reply. */
const TURNS = 40;
const REPLY_USD = 0.25;

type Fields = Readonly<Record<string, unknown>>;

export interface Corpus {
  readonly root: string;
  /** What all replies cost, each counted once. */
  readonly costUsd: string;
}

/** Writes sessions of some 100 kB; every third one is a fork that copies the first turns of the one before. */
export function writeSessions(root: string, count: number): Corpus {
  mkdirSync(root, { recursive: true });
  for (let index = 0; index < count; index += 1)
    writeFileSync(sessionPath(root, index), sessionText(root, index));
  return { root, costUsd: (count * TURNS * 2 * REPLY_USD).toFixed(9) };
}

/** A night later: every fourth session has gone on by a turn, and there are more of them. */
export function writeMore({ root }: Corpus, count: number, more: number): Corpus {
  let grown = 0;
  for (let index = 0; index < count; index += 4, grown += 1)
    appendFileSync(sessionPath(root, index), toLines(turn(index, TURNS)));
  for (let index = count; index < count + more; index += 1)
    writeFileSync(sessionPath(root, index), sessionText(root, index));
  return { root, costUsd: (((count + more) * TURNS + grown) * 2 * REPLY_USD).toFixed(9) };
}

function sessionPath(root: string, index: number): string {
  return join(root, `session-${String(index).padStart(4, "0")}.jsonl`);
}

function sessionText(root: string, index: number): string {
  const isFork = index % 3 === 1;
  const header = {
    ...HEADER,
    id: `s-${index}`,
    ...(isFork && { parentSession: sessionPath(root, index - 1) }),
  };
  const copied = isFork ? turns(index - 1, 3) : [];
  return toLines([header, ...copied, ...turns(index, TURNS)]);
}

function turns(session: number, count: number): Fields[] {
  return Array.from({ length: count }, (_, index) => turn(session, index)).flat();
}

function turn(session: number, index: number): Fields[] {
  const ids = [1, 2, 3, 4].map((step) => `a${session * 1_000 + index * 4 + step}`);
  const [prompt = "", call = "", result = "", reply = ""] = ids;
  return [
    user(prompt, index === 0 ? null : `a${session * 1_000 + index * 4}`, "go on with the work, please"),
    calling(call, prompt, `call-${call}`, { command: "make test" }),
    toolResult(result, call, `call-${call}`, {
      content: [{ type: "text", text: `line of output ${index}\n`.repeat(60) }],
    }),
    assistant(reply, result),
  ];
}

function toLines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
