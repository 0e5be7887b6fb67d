import { type Disk, type Doc, idOf, type Maker, type Rec } from "./property-model.js";
import type { Line } from "./world-sessions.js";

export function put(disk: Disk, head: Line, doc: Doc): void {
  const folder = String(head["cwd"]).replaceAll("/", "-");
  const name = `${String(head["timestamp"]).replaceAll(/[:.]/g, "-")}_${head["id"]}.jsonl`;
  disk.set(`-${folder}--/${name}`, doc);
}

export function pick(disk: Disk, number: number): [string, Doc] | [undefined, undefined] {
  const paths = [...disk.keys()].toSorted();
  const path = paths[number % Math.max(paths.length, 1)];
  const doc = path === undefined ? undefined : disk.get(path);
  return path === undefined || doc === undefined ? [undefined, undefined] : [path, doc];
}

export function change(disk: Disk, number: number, how: (doc: Doc) => Doc): void {
  const [path, doc] = pick(disk, number);
  if (path !== undefined && doc !== undefined) disk.set(path, how(doc));
}

export function at(recs: readonly Rec[], number: number): Rec {
  const rec = recs[number % recs.length];
  if (rec === undefined) throw new RangeError("no records to pick from");
  return rec;
}

/** More records, each under any record there is, or a new root. */
export function grown(doc: Doc, make: Maker, count: number, seed: number): Doc {
  let recs = doc.recs;
  for (let index = 0; index < count; index++) {
    const number = seed + index * 13;
    const parentId =
      recs.length === 0 || number % 11 === 0
        ? null
        : idOf(number % 3 === 0 ? at(recs, number) : at(recs, recs.length - 1));
    const rec =
      number % 9 === 4 && recs.length > 0
        ? make.label(parentId, idOf(at(recs, number)))
        : number % 9 === 5
          ? make.carrier(parentId, number)
          : make.record(parentId, number);
    recs = [...recs, rec];
  }
  return { ...doc, recs };
}

/** More records in a straight line, without labels: those of version 1. */
export function chained(doc: Doc, make: Maker, count: number, seed: number): Doc {
  let recs = doc.recs;
  for (let index = 0; index < count; index++) {
    const last = recs.at(-1);
    recs = [...recs, make.record(last === undefined ? null : idOf(last), seed + index)];
  }
  return { ...doc, recs };
}

export function rechained(recs: readonly Rec[]): Rec[] {
  let parentId: string | null = null;
  return recs.map((rec) => {
    const line = { ...rec.line, parentId };
    parentId = String(line["id" as keyof typeof line]);
    return { ...rec, line };
  });
}

/** Labels on the path come again at the end, with new ids and their old times. */
export function withLabels(fork: Doc, doc: Doc, make: Maker): Doc {
  const targets = new Set(fork.recs.map(idOf));
  const labels = doc.recs.filter(
    (rec) => rec.line["type"] === "label" && targets.has(String(rec.line["targetId"])),
  );
  const made = labels.map((rec) => ({ ...rec, line: { ...rec.line, id: make.id("f") } }));
  return { ...fork, recs: rechained([...fork.recs, ...made]) };
}
