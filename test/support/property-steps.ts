import { at, chained, change, grown, pick, put, rechained, withLabels } from "./property-docs.js";
import { type Disk, type Doc, idOf, type Maker, pathTo, type Run, sessionKeyOf } from "./property-model.js";
import { childRun, type Line } from "./world-sessions.js";

/** Raw numbers that a step is made of; each step takes them by its own measure. */
export interface Step {
  readonly kind: string;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

export interface StepContext {
  readonly disk: Disk;
  readonly make: Maker;
}

type StepKind = (context: StepContext, step: Step) => void;

const ON_ADAS_MACHINE = "/home/ada/.pi/agent/sessions";

/** Steps that add files and records, and leave all there is as it is. */
export const GROWING_STEPS: Readonly<Record<string, StepKind>> = {
  newSession: ({ disk, make }, { a, b, c }) => {
    const head = make.head(a % 4 === 0 ? { cwd: "/home/ada/other" } : {});
    put(disk, head, grown({ head, recs: [], isVersion1: false, oddLines: [] }, make, 1 + (b % 6), c));
  },
  newVersion1: ({ disk, make }, { b, c }) => {
    const { version: _version, ...head } = make.head();
    put(disk, head, chained({ head, recs: [], isVersion1: true, oddLines: [] }, make, 1 + (b % 5), c));
  },
  append: (context, { a, b, c }) =>
    change(context.disk, a, (doc) =>
      doc.isVersion1 ? chained(doc, context.make, 1 + (b % 4), c) : grown(doc, context.make, 1 + (b % 4), c),
    ),
  newWithParent: ({ disk, make }, { a, b, c }) => {
    const [path] = pick(disk, a);
    if (path === undefined) return;
    const head = make.head({ parentSession: `${ON_ADAS_MACHINE}/${path}` });
    put(disk, head, grown({ head, recs: [], isVersion1: false, oddLines: [] }, make, b % 3, c));
  },
  /** The path to a record, labels made anew; nothing of its own where `c` says so. */
  fork: ({ disk, make }, { a, b, c }) => {
    const [path, doc] = pick(disk, a);
    if (path === undefined || doc === undefined || doc.recs.length === 0) return;
    const upTo = doc.isVersion1 ? doc.recs.slice(0, 1 + (b % doc.recs.length)) : pathTo(doc, at(doc.recs, b));
    const parent = `${ON_ADAS_MACHINE}/${path}`;
    const { version: _version, ...bare } = make.head({ branchedFrom: parent });
    const head = doc.isVersion1 ? bare : make.head({ parentSession: parent });
    const copies = upTo.filter((rec) => rec.line["type"] !== "label");
    const fork = { head, recs: rechained(copies), isVersion1: doc.isVersion1, oddLines: [] };
    const own = c % 4;
    put(
      disk,
      head,
      doc.isVersion1 ? chained(fork, make, own, c) : grown(withLabels(fork, doc, make), make, own, c),
    );
  },
  /** All records of all branches under a new header and folder. */
  forkFrom: ({ disk, make }, { a, b, c }) => {
    const [path, doc] = pick(disk, a);
    if (path === undefined || doc === undefined) return;
    const head = make.head({ parentSession: `${ON_ADAS_MACHINE}/${path}`, cwd: "/home/ada/elsewhere" });
    const fork = { ...doc, head, oddLines: [] };
    put(disk, head, doc.isVersion1 ? fork : grown(fork, make, b % 3, c));
  },
  exportBranch: ({ disk, make }, { a }) => {
    const [path, doc] = pick(disk, a);
    const leaf = doc?.recs.at(-1);
    if (path === undefined || doc === undefined || leaf === undefined || doc.isVersion1) return;
    const { cwd: _cwd, parentSession: _parent, ...head } = doc.head;
    const recs = rechained(pathTo(doc, leaf));
    disk.set(`exports/${make.id("x")}.jsonl`, { ...doc, head: { ...head, portable: 1 }, recs, oddLines: [] });
  },
  importFile: ({ disk, make }, { a, b, c }) => {
    const [path, doc] = pick(disk, a);
    if (path === undefined || doc === undefined || doc.isVersion1) return;
    const head = { ...make.head(), id: doc.head["id"] };
    disk.set(
      path.replace(".jsonl", `-${make.id("i")}.jsonl`),
      grown({ ...doc, head, oddLines: [] }, make, b % 2, c),
    );
  },
  copyFile: ({ disk, make }, { a }) => {
    const [path, doc] = pick(disk, a);
    if (path !== undefined && doc !== undefined) disk.set(`backup/${make.id("b")}/${path}`, doc);
  },
  /** Pi appends everything again after a second header. */
  repeat: ({ disk }, { a }) =>
    change(disk, a, (doc) =>
      doc.isVersion1 ? doc : { ...doc, recs: [...doc.recs, ...doc.recs.slice(0, 2)] },
    ),
  breakLine: ({ disk }, { a, b }) =>
    change(disk, a, (doc) => ({
      ...doc,
      oddLines: [...doc.oddLines, b % 2 === 0 ? "{broken" : JSON.stringify(doc.head)],
    })),
  delegate: (context, step) => delegate(context, step),
};

/** Steps that take away, move or overwrite. */
export const SHRINKING_STEPS: Readonly<Record<string, StepKind>> = {
  remove: ({ disk }, { a }) => {
    const [path] = pick(disk, a);
    if (path !== undefined) disk.delete(path);
  },
  /** A file and what lies in the folder of its name. */
  move: ({ disk, make }, { a }) => {
    const [path] = pick(disk, a);
    if (path === undefined) return;
    const stem = path.replace(/\.jsonl$/, "/");
    const folder = make.id("m");
    for (const [from, doc] of [...disk]) {
      if (from !== path && !from.startsWith(stem)) continue;
      disk.delete(from);
      disk.set(`${folder}/${from}`, doc);
    }
  },
  /** The file alone: what lies in the folder of its name stays behind. */
  moveAlone: ({ disk, make }, { a }) => {
    const [path, doc] = pick(disk, a);
    if (path === undefined || doc === undefined) return;
    disk.delete(path);
    disk.set(`${make.id("m")}/${path}`, doc);
  },
  /**
   * Another session under the same path. Not in a sub-agent's file: where no run saw what was there before,
   * the new session stands for the sub-agent.
   */
  overwrite: ({ disk, make }, { a, b, c }) => {
    const [path, doc] = pick(disk, a);
    if (path === undefined || doc === undefined || doc.isVersion1 || isChildFile(path)) return;
    const head = make.head();
    disk.set(path, grown({ head, recs: [], isVersion1: false, oddLines: [] }, make, 1 + (b % 4), c));
  },
  /** Fewer records under the same header, and perhaps others. */
  shorten: ({ disk, make }, { a, b, c }) =>
    change(disk, a, (doc) => {
      if (doc.isVersion1) return doc;
      const kept = doc.recs.slice(0, b % (doc.recs.length + 1));
      return grown({ ...doc, recs: kept }, make, c % 3, c);
    }),
  /** Pi opens a file of version 1: ids are made at random, nothing else changes. */
  migrate: ({ disk, make }, { a }) =>
    change(disk, a, (doc) => {
      if (!doc.isVersion1) return doc;
      const recs = rechained(doc.recs.map((rec) => ({ ...rec, line: { ...rec.line, id: make.id("d") } })));
      return { ...doc, head: { ...doc.head, version: 3 }, recs, isVersion1: false };
    }),
};

function delegate({ disk, make }: StepContext, { a, b, c }: Step): void {
  const [path, doc] = pick(disk, a);
  if (path === undefined || doc === undefined || doc.isVersion1) return;
  const runId = make.id("run");
  const runs: Run[] = [];
  const details: Line[] = [];
  let twin: Doc | undefined;
  for (let index = 0; index <= b % 3; index++) {
    const file = `${path.replace(/\.jsonl$/, "")}/${runId}/run-${index}/session.jsonl`;
    const hasFile = (c >> index) % 2 === 0;
    const head = make.head({ parentSession: `${ON_ADAS_MACHINE}/${path}` });
    const empty = { head, recs: [], isVersion1: false, oddLines: [] };
    const isTwin = twin !== undefined && c % 4 === 1;
    const childDoc = isTwin ? twinOf(twin, head, make) : chained(empty, make, 1 + (c % 3), c + index);
    twin = childDoc;
    const written = childDoc.recs.reduce((sum, rec) => sum + rec.cents, 0);
    // A crash may leave less in the file than was reported; more is there where the report came early.
    const cents = written + ((c % 5) - 1 > 0 ? (c % 5) - 1 : 0);
    if (hasFile) disk.set(file, childDoc);
    runs.push({ cents, childKey: hasFile ? sessionKeyOf(childDoc.head) : null });
    details.push(
      childRun(cents / 100, hasFile && c % 2 === 0 ? { sessionFile: `${ON_ADAS_MACHINE}/${file}` } : {}),
    );
  }
  const reported = runs.reduce((sum, run) => sum + run.cents, 0);
  const carrierCents = c % 3 === 0 ? null : reported + (c % 4);
  const parentId = doc.recs.length === 0 ? null : idOf(at(doc.recs, a));
  const result = make.result(parentId, { runId, results: details }, { carrierCents, runs });
  disk.set(path, { ...doc, recs: [...doc.recs, result] });
}

function isChildFile(path: string): boolean {
  return path.endsWith("/session.jsonl");
}

/** A parallel run that does the same at the same times: equal but for its ids. */
function twinOf(doc: Doc | undefined, head: Line, make: Maker): Doc {
  const recs = (doc?.recs ?? []).map((rec) => {
    const id = make.id("e");
    return { ...rec, key: id, line: { ...rec.line, id } };
  });
  const timestamp = doc?.head["timestamp"];
  return { head: { ...head, timestamp }, recs: rechained(recs), isVersion1: false, oddLines: [] };
}
