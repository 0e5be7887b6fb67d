// An invented home of sessions that lives from night to night, and what it has ever cost.
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const START_MS = Date.UTC(2026, 0, 5, 9);
const DAY_MS = 86_400_000;
const KINDS = ["create", "append", "append", "append", "fork", "remove", "overwrite", "shorten", "move"];
const MODELS = ["claude-opus-4-8", "claude-sonnet-4-8", "gpt-5-mini"];

/** Random numbers of a seed, the same ones each time. */
export function randomOf(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit) => Math.floor(next() * limit);
  const hex = (length) => Array.from({ length }, () => below(16).toString(16)).join("");
  return { next, below, hex, pick: (list) => list[below(list.length)] };
}

/**
 * A home below `root`, empty. `recordCount` and `textChars` are what a session and a reply have on average.
 * Paid amounts are whole nano-dollars, so that sums are exact.
 */
export function createHome(root, { seed, recordCount, textChars }) {
  const random = randomOf(seed);
  const words = Array.from({ length: 4_000 }, () => random.hex(2 + random.below(9)));
  const files = new Map();
  /** Last state of files that are no longer there, for a load of everything at once. */
  const graves = [];
  const kindsLeft = [];
  let night = 0;
  let sessionCount = 0;

  const text = (chars) => {
    const parts = [];
    for (let length = 0; length < chars; ) {
      const word = random.pick(words);
      parts.push(word);
      length += word.length + 1;
    }
    return parts.join(" ");
  };

  const freePath = (project) => {
    sessionCount += 1;
    const id = `${random.hex(8)}-0000-7000-8000-${String(sessionCount).padStart(12, "0")}`;
    return { id, path: `--home-ada-${project}--/2026-${sessionCount}_${id}.jsonl` };
  };

  /** A clock of a session: each record a few seconds after the one before. */
  const clockFrom = (ms) => {
    let now = ms;
    return () => {
      now += 1_000 + random.below(20_000);
      return now;
    };
  };

  const nextTurn = (parentId, tick) => {
    const prompt = record("message", parentId, tick(), {
      message: { role: "user", content: text(textChars / 4) },
    });
    const calls = random.below(3) > 0;
    const reply = paidReply(prompt.id, tick(), calls);
    if (!calls) return [prompt, reply];
    const result = record("message", reply.id, tick(), {
      message: {
        role: "toolResult",
        toolCallId: `call_${reply.id}`,
        toolName: "bash",
        content: [{ type: "text", text: text(textChars * 2) }],
        isError: random.below(10) === 0,
      },
    });
    return [prompt, reply, result, paidReply(result.id, tick(), false)];
  };

  const record = (type, parentId, ms, fields) => {
    const stamped = fields.message === undefined ? fields : { message: { timestamp: ms, ...fields.message } };
    return { type, id: random.hex(8), parentId, timestamp: new Date(ms).toISOString(), ...stamped };
  };

  const paidReply = (parentId, ms, calls) => {
    const nanos = 1_000 * (1 + random.below(900_000));
    const cost = { input: nanos / 1e9, output: 0, cacheRead: 0, cacheWrite: 0, total: nanos / 1e9 };
    const [input, output] = [100 + random.below(9_000), 10 + random.below(900)];
    const reply = record("message", parentId, ms, {});
    const call = {
      type: "toolCall",
      id: `call_${reply.id}`,
      name: "bash",
      arguments: { command: text(textChars / 8) },
    };
    reply.message = {
      timestamp: ms - 500,
      role: "assistant",
      content: [{ type: "text", text: text(textChars) }, ...(calls ? [call] : [])],
      api: "anthropic-messages",
      provider: "anthropic",
      model: random.pick(MODELS),
      usage: { input, output, cacheRead: 0, cacheWrite: 0, totalTokens: input + output, cost },
      stopReason: calls ? "toolUse" : "stop",
    };
    return reply;
  };

  const grow = (session, turns) => {
    const tick = clockFrom(START_MS + night * DAY_MS + random.below(DAY_MS / 4));
    for (let turn = 0; turn < turns; turn += 1) {
      // Now and then a turn goes on from an earlier record: a branch.
      const last = random.below(12) === 0 ? random.pick(session.records) : session.records.at(-1);
      session.records.push(...nextTurn(last?.id ?? null, tick));
    }
  };

  const write = (path, session) => {
    const lines = [session.header, ...session.records].map((line) => JSON.stringify(line));
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${lines.join("\n")}\n`);
    session.bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    files.set(path, session);
    return session.bytes;
  };

  const turnsOfSession = () => 1 + random.below(Math.max(1, Math.round((recordCount * 2) / 3.3)));

  const start = (project, more = {}) => {
    const { id, path } = freePath(project);
    const ms = START_MS + night * DAY_MS + random.below(DAY_MS / 4);
    const header = {
      type: "session",
      version: 3,
      id,
      timestamp: new Date(ms).toISOString(),
      cwd: `/home/ada/${project}`,
      ...more,
    };
    return { path, session: { header, records: [] } };
  };

  const project = () => `project-${random.below(12)}`;
  const anyPath = () => random.pick([...files.keys()]);
  /** Records that no load has seen were never there. */
  const bury = (path) => {
    const { header, records, seenCount = 0 } = files.get(path);
    if (seenCount > 0)
      graves.push({ path, session: structuredClone({ header, records: records.slice(0, seenCount) }) });
  };

  const changes = {
    create: () => {
      const { path, session } = start(project());
      grow(session, turnsOfSession());
      return write(path, session);
    },
    append: () => {
      const path = anyPath();
      const session = files.get(path);
      grow(session, 1 + random.below(4));
      return write(path, session);
    },
    fork: () => {
      const from = anyPath();
      const parent = files.get(from);
      const { path, session } = start(project(), { parentSession: join(root, from) });
      const kept = 1 + random.below(parent.records.length);
      session.records.push(...structuredClone(parent.records.slice(0, kept)));
      grow(session, 1 + random.below(3));
      return write(path, session);
    },
    remove: () => {
      const path = anyPath();
      bury(path);
      const { bytes } = files.get(path);
      rmSync(join(root, path));
      files.delete(path);
      return bytes;
    },
    /** The file takes a session of another name. */
    overwrite: () => {
      const path = anyPath();
      bury(path);
      const { session } = start(project());
      grow(session, turnsOfSession());
      return write(path, session);
    },
    /** The session loses its latest records and goes on from there. */
    shorten: () => {
      const path = anyPath();
      bury(path);
      const session = files.get(path);
      session.records.length = Math.ceil(session.records.length / 2);
      session.seenCount = Math.min(session.seenCount ?? 0, session.records.length);
      grow(session, 1 + random.below(3));
      return write(path, session);
    },
    move: () => {
      const from = anyPath();
      const session = files.get(from);
      const to = `moved-${night}/${random.hex(6)}.jsonl`;
      mkdirSync(dirname(join(root, to)), { recursive: true });
      renameSync(join(root, from), join(root, to));
      files.delete(from);
      files.set(to, session);
      return session.bytes;
    },
  };

  /** Every kind comes up before one comes up again. */
  const nextKind = () => {
    if (kindsLeft.length === 0) kindsLeft.push(...KINDS);
    return kindsLeft.splice(random.below(kindsLeft.length), 1)[0];
  };

  return {
    root,
    /** Fills the home with its first sessions, some of them forks. */
    begin: (sessions) => {
      for (let index = 0; index < sessions; index += 1) {
        if (index > 2 && random.below(8) === 0) changes.fork();
        else changes.create();
      }
    },
    /** Changes about this share of the bytes; gives what was done. */
    passNight: (share) => {
      night += 1;
      const goal = bytesOf(files) * share;
      const done = {};
      for (let changed = 0; changed < goal || Object.keys(done).length < 3; ) {
        const kind = nextKind();
        changed += changes[kind]();
        done[kind] = (done[kind] ?? 0) + 1;
      }
      return done;
    },
    /** The sessions as they are on disk; from here on a load has seen them. */
    see: () => {
      for (const session of files.values()) session.seenCount = session.records.length;
      return [...files.values()];
    },
    bytes: () => bytesOf(files),
    /** Writes what is gone below another folder, each file as it was last seen. */
    writeGraves: (folder) => {
      for (const [index, { path, session }] of graves.entries()) {
        const lines = [session.header, ...session.records].map((line) => JSON.stringify(line));
        const target = join(folder, String(index), path);
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, `${lines.join("\n")}\n`);
      }
    },
  };
}

function bytesOf(files) {
  return [...files.values()].reduce((sum, session) => sum + session.bytes, 0);
}
