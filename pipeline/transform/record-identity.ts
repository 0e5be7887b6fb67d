import type { LinePlace, RawRecord } from "../flow.js";
import { mixRecord } from "./content-hash.js";
import { asString, type Leftover } from "./fields.js";
import { toJson } from "./payload.js";
import type { Session } from "./session.js";
import { readTime } from "./times.js";

const CHANGED_BY_MIGRATION: ReadonlySet<string> = new Set(["type", "id", "parentId", "timestamp"]);

export const NO_TYPE = "(none)";

/** One record on its way to rows. What stands below `place` is for its entry type to fill. */
export interface Entry {
  readonly seq: number;
  readonly type: string;
  readonly id: string;
  readonly hasId: boolean;
  readonly parentId: string | null;
  readonly at: number | null;
  readonly atRaw: string | null;
  readonly recordKey: string;
  readonly contentHash: string | null;
  readonly place: LinePlace;
  role: string | null;
  messageAt: number | null;
  toolCallId: string | null;
  labelHash: string | null;
  /** What no column holds, in the record's own form. */
  left: Leftover | null;
}

/** Names a record, gives it a place in the session's store, and finds its parent as far as that is known. */
export function identify(record: RawRecord, place: LinePlace, session: Session, isKnown: boolean): Entry {
  const { mix, entries, header } = session;
  mixRecord(mix, record);
  if (!isKnown) mixUnknown(session, record);
  const contentHash = mix.saysSomething ? mix.hex16() : null;
  const time = readTime(record["timestamp"]);

  const writtenId = header.formatVersion > 1 ? asString(record["id"]) : null;
  const hasId = writtenId !== null && writtenId !== "";
  const seq = entries.count + 1;
  const id = hasId ? writtenId : makeId(seq, contentHash, time.raw ?? time.at, session);
  const { parentId, follows } = parentOf(record, hasId, session);
  entries.add(id, parentId, follows);
  return {
    seq,
    type: asString(record["type"]) ?? NO_TYPE,
    id,
    hasId,
    parentId,
    at: time.at,
    atRaw: time.raw,
    recordKey: `${id}@${timeKey(time.at, time.raw, session)}`,
    contentHash,
    place,
    role: null,
    messageAt: null,
    toolCallId: null,
    labelHash: null,
    left: null,
  };
}

/** Everything but what a migration changes. */
function mixUnknown(session: Session, record: RawRecord): void {
  for (const key of Object.keys(record).toSorted()) {
    if (CHANGED_BY_MIGRATION.has(key)) continue;
    session.mix.text(key);
    session.mix.text(toJson(record[key]));
  }
}

/**
 * Made from position and content, so it is the same in every run. A record that says nothing and has no time
 * could be any other like it: the session makes it its own.
 */
function makeId(
  seq: number,
  contentHash: string | null,
  time: string | number | null,
  session: Session,
): string {
  if (contentHash === null && time === null) session.mix.text(session.header.sessionKey);
  return `~${seq}-${session.mix.hex8()}`;
}

function timeKey(at: number | null, raw: string | null, session: Session): string {
  if (at !== null) return String(at);
  if (raw === null) return "-";
  session.mix.start("time");
  session.mix.text(raw);
  return `~${session.mix.hex8()}`;
}

interface Parent {
  readonly parentId: string | null;
  readonly follows: boolean;
}

/** Version 1 and records without an id follow the record before, as Pi's own migration has it. */
function parentOf(record: RawRecord, hasId: boolean, session: Session): Parent {
  const written = record["parentId"];
  if (hasId || (session.header.formatVersion > 1 && typeof written === "string")) {
    return { parentId: parentIdOf(written), follows: false };
  }
  const { count, ids } = session.entries;
  return { parentId: count === 0 ? null : (ids[count] ?? null), follows: true };
}

/** Stands for a parent that is no text: it is named, but by no id that an entry could have. */
const ODD_PARENT = "(no id)";

function parentIdOf(written: unknown): string | null {
  if (written === undefined || written === null) return null;
  return typeof written === "string" ? written : ODD_PARENT;
}
