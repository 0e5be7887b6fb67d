import { createHash } from "node:crypto";

/** A session as the warehouse holds it before the run. */
export interface HeldSession {
  readonly sessionKey: string;
  readonly baseKey: string;
  readonly fileId: string;
  readonly machine: string;
  readonly path: string;
  readonly recordCount: number;
  /** Whether its file will still be there, unread, after this run. */
  readonly isPresent: boolean;
}

/** A session as this run read it. */
export interface ReadSession {
  readonly fileId: string;
  readonly baseKey: string;
  readonly machine: string;
  readonly path: string;
  readonly recordCount: number;
}

export interface Assignment {
  /** For each file read: the key its session gets, and the session whose rows it replaces. */
  readonly readings: readonly { fileId: string; sessionKey: string; replacesKey: string | null }[];
  /** Sessions that were not read and get another key. */
  readonly renames: readonly { oldKey: string; newKey: string }[];
}

interface Holder {
  readonly machine: string;
  readonly path: string;
  readonly recordCount: number;
  readonly isPresent: boolean;
  readonly reading: ReadSession | null;
  readonly held: HeldSession | null;
}

/**
 * Gives each session its key (design rule 4). Among sessions with one base key the fullest that is
 * present has the key itself, the others a suffix made from machine and path. A file that is new for its
 * base key takes over a session whose file is gone: that is a move.
 */
export function assignSessions(held: readonly HeldSession[], read: readonly ReadSession[]): Assignment {
  const baseKeys = new Map<string, { held: HeldSession[]; read: ReadSession[] }>();
  const group = (key: string): { held: HeldSession[]; read: ReadSession[] } => {
    const found = baseKeys.get(key) ?? { held: [], read: [] };
    baseKeys.set(key, found);
    return found;
  };
  for (const session of held) group(session.baseKey).held.push(session);
  for (const session of read) group(session.baseKey).read.push(session);

  const readings: Assignment["readings"][number][] = [];
  const renames: Assignment["renames"][number][] = [];
  for (const [baseKey, editions] of baseKeys) {
    for (const [index, holder] of rank(matchReadings(editions.held, editions.read)).entries()) {
      const sessionKey = index === 0 ? baseKey : `${baseKey}-${placeHash(holder)}`;
      if (holder.reading !== null)
        readings.push({
          fileId: holder.reading.fileId,
          sessionKey,
          replacesKey: holder.held?.sessionKey ?? null,
        });
      else if (holder.held !== null && holder.held.sessionKey !== sessionKey)
        renames.push({ oldKey: holder.held.sessionKey, newKey: sessionKey });
    }
  }
  return { readings, renames };
}

function matchReadings(held: readonly HeldSession[], read: readonly ReadSession[]): Holder[] {
  const rest = new Set(held);
  const holders: Holder[] = [];
  const moved: ReadSession[] = [];
  for (const reading of read) {
    const same = held.find((session) => session.fileId === reading.fileId);
    if (same === undefined) moved.push(reading);
    else {
      rest.delete(same);
      holders.push(holderOf(reading, same));
    }
  }
  const gone = fullestFirst([...rest].filter((session) => !session.isPresent));
  for (const [index, reading] of fullestFirst(moved).entries()) {
    const from = gone[index] ?? null;
    if (from !== null) rest.delete(from);
    holders.push(holderOf(reading, from));
  }
  return [...holders, ...[...rest].map((session) => ({ ...session, reading: null, held: session }))];
}

function holderOf(reading: ReadSession, held: HeldSession | null): Holder {
  const { machine, path, recordCount } = reading;
  return { machine, path, recordCount, isPresent: true, reading, held };
}

function rank(holders: readonly Holder[]): Holder[] {
  return fullestFirst(holders).sort((a, b) => Number(b.isPresent) - Number(a.isPresent));
}

function fullestFirst<S extends { recordCount: number; machine: string; path: string }>(
  sessions: readonly S[],
): S[] {
  return [...sessions].sort(
    (a, b) =>
      b.recordCount - a.recordCount || compareText(a.machine, b.machine) || compareText(a.path, b.path),
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function placeHash(place: { machine: string; path: string }): string {
  return createHash("sha256")
    .update(JSON.stringify([place.machine, place.path]))
    .digest("hex")
    .slice(0, 8);
}
