import {
  asVersion1,
  at,
  header,
  type Line,
  label,
  reply,
  toolResult,
  usage,
  user,
} from "./world-sessions.js";

/** A sub-agent's run as a tool result reports it, and the session in its file, where it has one. */
export interface Run {
  readonly cents: number;
  readonly childKey: string | null;
}

export interface Result {
  readonly key: string;
  /** Null where the result carries no usage of its own. */
  readonly carrierCents: number | null;
  readonly runs: readonly Run[];
}

/** A record on disk, with what it means. Copies share the key, whatever their lines say. */
export interface Rec {
  readonly key: string;
  readonly line: Line;
  readonly cents: number;
  readonly result: Result | null;
}

export interface Doc {
  readonly head: Line;
  readonly recs: readonly Rec[];
  readonly isVersion1: boolean;
  /** Lines that hold no record, and second headers, in front of the records. */
  readonly oddLines: readonly string[];
}

/** Files of a world by path below the sessions folder. */
export type Disk = Map<string, Doc>;

/** Makes ids and times that no two records share unless a step wants it. */
export class Maker {
  #seconds = 0;
  #count = 0;

  tick(): number {
    this.#seconds += 7;
    return this.#seconds;
  }

  id(prefix: string): string {
    this.#count += 1;
    return prefix + this.#count.toString(16).padStart(8 - prefix.length, "0");
  }

  sessionId(): string {
    return this.id("5").padStart(12, "0");
  }

  /** A prompt or a reply that costs what `seed` says, or an unpaid failure. */
  record(parentId: string | null, seed: number, seconds = this.tick()): Rec {
    const id = this.id("e");
    const key = id;
    if (seed % 3 === 0) return { key, line: user(id, parentId, seconds), cents: 0, result: null };
    const cents = seed % 7 === 1 ? 0 : 1 + (seed % 50);
    const message = seed % 7 === 1 ? { stopReason: "error", content: [], errorMessage: "429 slow down" } : {};
    const line = reply(id, parentId, seconds, {
      cost: cents / 100,
      input: 1 + (seed % 900),
      message,
    });
    return { key, line, cents, result: null };
  }

  /** Usage that is no reply's: a summary's or a warm cache's. */
  carrier(parentId: string | null, seed: number): Rec {
    const id = this.id("e");
    const cents = 1 + (seed % 20);
    const base = { id, parentId, timestamp: at(this.tick()), usage: usage(cents / 100) };
    const line =
      seed % 2 === 0
        ? { ...base, type: "compaction", summary: "s", tokensBefore: 10, firstKeptEntryId: parentId ?? id }
        : { ...base, type: "usage", kind: "cache_warm", provider: "acme", model: "good" };
    return { key: id, line, cents, result: null };
  }

  label(parentId: string | null, targetId: string): Rec {
    const id = this.id("e");
    return {
      key: id,
      line: label(id, parentId, this.tick(), targetId, "here"),
      cents: 0,
      result: null,
    };
  }

  result(parentId: string | null, details: Line, result: Omit<Result, "key">): Rec {
    const id = this.id("e");
    const { carrierCents } = result;
    const line = toolResult(id, parentId, this.tick(), `call-${id}`, {
      details,
      ...(carrierCents !== null && { usage: usage(carrierCents / 100) }),
    });
    return { key: id, line, cents: 0, result: { ...result, key: id } };
  }

  head(fields: Line = {}): Line {
    return header(this.sessionId(), this.tick(), fields);
  }
}

export function idOf(rec: Rec): string {
  return String(rec.line["id"]);
}

/** From the root to the record, along parents that are in the file. */
export function pathTo(doc: Doc, rec: Rec): Rec[] {
  const byId = new Map(doc.recs.map((one) => [idOf(one), one]));
  const path: Rec[] = [];
  for (let one: Rec | undefined = rec; one !== undefined && !path.includes(one); ) {
    path.unshift(one);
    one = byId.get(String(one.line["parentId"]));
  }
  return path;
}

export function linesOf(doc: Doc): string {
  const records = doc.recs.map((rec) => JSON.stringify(doc.isVersion1 ? asVersion1(rec.line) : rec.line));
  return [JSON.stringify(doc.head), ...doc.oddLines, ...records].map((line) => `${line}\n`).join("");
}

/** What makes a session the same in two files. */
export function sessionKeyOf(head: Line): string {
  return JSON.stringify([head["id"], head["timestamp"], head["cwd"]]);
}

/** What a run that read these files has to know of money and records, added to what earlier runs saw. */
export class Seen {
  readonly #records = new Map<string, Rec>();
  readonly #sessions = new Map<string, Set<string>>();

  look(disk: Disk): void {
    for (const doc of disk.values()) {
      const key = sessionKeyOf(doc.head);
      const held = this.#sessions.get(key) ?? new Set();
      this.#sessions.set(key, held);
      for (const rec of doc.recs) {
        held.add(rec.key);
        this.#records.set(rec.key, rec);
      }
    }
  }

  /** Records that are no labels: a fork makes those anew. */
  get recordCount(): number {
    return [...this.#records.values()].filter((rec) => rec.line["type"] !== "label").length;
  }

  get cents(): number {
    let sum = 0;
    for (const rec of this.#records.values())
      sum += rec.cents + (rec.result === null ? 0 : this.#beyondFiles(rec.result));
    return sum;
  }

  /** What a result adds to what the sub-agents' own files hold: each run's rest, and the carrier's. */
  #beyondFiles({ runs, carrierCents }: Result): number {
    const held = runs.map((run) => (run.childKey === null ? 0 : this.#heldBy(run.childKey)));
    const most = runs.map((run, index) => Math.max(run.cents, held[index] ?? 0));
    const total = most.reduce((sum, cents) => sum + cents, 0);
    return total - held.reduce((sum, cents) => sum + cents, 0) + Math.max((carrierCents ?? 0) - total, 0);
  }

  /** Requests of a session, and what its results say of sub-agents of its own. */
  #heldBy(sessionKey: string): number {
    let sum = 0;
    for (const key of this.#sessions.get(sessionKey) ?? []) {
      const rec = this.#records.get(key);
      sum += (rec?.cents ?? 0) + (rec?.result ? reportedBy(rec.result) : 0);
    }
    return sum;
  }
}

function reportedBy({ runs, carrierCents }: Result): number {
  const total = runs.reduce((sum, run) => sum + run.cents, 0);
  return Math.max(carrierCents ?? 0, total);
}
