import { HOSTILE_KEYS, HOSTILE_VALUES, ROLES, TYPES, toText } from "./hostile-values.js";
import type { Random } from "./random.js";

const LF = 0x0a;
const ODD_BYTES = [
  0x00, 0x0a, 0x0d, 0x22, 0x2c, 0x5c, 0x7b, 0x7d, 0x80, 0xc0, 0xe2, 0xed, 0xef, 0xf5, 0xff,
] as const;

/** A line is not repeated beyond this: size alone has a test of its own. */
const BULK_BYTES = 2_000_000;

type Fields = Record<string, unknown>;
type Mutate = (bytes: Buffer, random: Random) => Buffer;

/** A session file as somebody who means harm, a bad disk or a careless tool might leave it. */
export function mutate(seeds: readonly Buffer[], random: Random): Buffer {
  let bytes = random.pick(seeds);
  if (random.chance(0.1)) bytes = spliced(bytes, random.pick(seeds), random);
  const steps = 1 + random.below(random.chance(0.2) ? 8 : 3);
  for (let step = 0; step < steps; step += 1) bytes = random.pick(MUTATIONS)(bytes, random);
  return bytes;
}

const changeBytes: Mutate = (bytes, random) => {
  const changed = Buffer.from(bytes);
  for (let left = 1 + random.below(4); left > 0 && changed.length > 0; left -= 1)
    changed[random.below(changed.length)] = random.chance(0.5) ? random.pick(ODD_BYTES) : random.below(256);
  return changed;
};

const insertBytes: Mutate = (bytes, random) => {
  const at = random.below(bytes.length + 1);
  const count = random.chance(0.05) ? 5_000 : 1 + random.below(4);
  return Buffer.concat([
    bytes.subarray(0, at),
    Buffer.alloc(count, random.pick(ODD_BYTES)),
    bytes.subarray(at),
  ]);
};

const cutOut: Mutate = (bytes, random) => {
  const start = random.below(bytes.length + 1);
  const length = random.below(random.chance(0.5) ? 8 : 400);
  return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + length)]);
};

const cutOff: Mutate = (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1));

const repeatPart: Mutate = (bytes, random) => {
  const start = random.below(bytes.length + 1);
  const part = bytes.subarray(start, start + random.below(300));
  return Buffer.concat([bytes.subarray(0, start), part, part, bytes.subarray(start)]);
};

const changeEnds: Mutate = (bytes, random) => {
  const text = bytes.toString("latin1");
  const ends = ["\r\n", "\n\n", "\n \n", "\r", "\n\u00ef\u00bb\u00bf"] as const;
  return Buffer.from(
    random.chance(0.3) ? `\u00ef\u00bb\u00bf${text}` : text.replaceAll("\n", random.pick(ends)),
    "latin1",
  );
};

function spliced(one: Buffer, other: Buffer, random: Random): Buffer {
  return Buffer.concat([
    one.subarray(0, random.below(one.length + 1)),
    other.subarray(random.below(other.length + 1)),
  ]);
}

function onLines(change: (lines: Buffer[], random: Random) => void): Mutate {
  return (bytes, random) => {
    const lines = splitLines(bytes);
    if (lines.length > 0) change(lines, random);
    return Buffer.concat(lines.flatMap((line) => [line, Buffer.of(LF)]));
  };
}

const swapLines = onLines((lines, random) => {
  const [one, other] = [random.below(lines.length), random.below(lines.length)];
  [lines[one], lines[other]] = [lines[other] ?? Buffer.of(), lines[one] ?? Buffer.of()];
});

const dropLine = onLines(
  (lines, random) => void lines.splice(random.below(lines.length), 1 + random.below(2)),
);

const repeatLine = onLines((lines, random) => {
  const line = random.pick(lines);
  const times = random.chance(0.02) ? Math.min(2_500, BULK_BYTES / (line.length + 1)) : 1 + random.below(3);
  for (let left = times; left > 0; left -= 1) lines.splice(random.below(lines.length + 1), 0, line);
});

const insertJunkLine = onLines((lines, random) => {
  const value = random.pick(HOSTILE_VALUES);
  const junk = random.chance(0.5)
    ? toText(value)
    : toText({ type: random.pick(TYPES), id: value, timestamp: value });
  lines.splice(random.below(lines.length + 1), 0, Buffer.from(junk));
});

function onRecord(change: (record: Fields, random: Random, ids: readonly unknown[]) => void): Mutate {
  return onLines((lines, random) => {
    const at = random.below(lines.length);
    const record = parsed(lines[at]);
    if (record === null) return;
    const ids = lines.slice(0, 40).map((line) => parsed(line)?.["id"] ?? null);
    try {
      change(record, random, ids);
      lines[at] = Buffer.from(toText(record));
    } catch (error) {
      // What was nested too deeply by a change before is left as it is.
      if (!(error instanceof RangeError)) throw error;
    }
  });
}

const changeValue = onRecord((record, random) => {
  const { holder, key } = randomPlace(record, random);
  setField(holder, key, random.pick(HOSTILE_VALUES));
});

const dropField = onRecord((record, random) => {
  const { holder, key } = randomPlace(record, random);
  delete holder[key];
});

const addField = onRecord((record, random) => {
  const { holder } = randomPlace(record, random);
  setField(holder, random.pick(HOSTILE_KEYS), random.pick(HOSTILE_VALUES));
});

const moveField = onRecord((record, random) => {
  const from = randomPlace(record, random);
  const to = randomPlace(record, random);
  setField(
    to.holder,
    random.pick([to.key, from.key, random.pick(HOSTILE_KEYS)]),
    structuredClone(from.holder[from.key]),
  );
});

const changeParent = onRecord((record, random, ids) => {
  record[random.pick(["parentId", "id", "targetId", "firstKeptEntryId", "fromId"])] = random.pick([
    ...ids,
    null,
    "gone",
  ]);
});

const changeKind = onRecord((record, random) => {
  const message = record["message"];
  if (isFields(message) && random.chance(0.6)) message["role"] = random.pick(ROLES);
  else record["type"] = random.pick(TYPES);
});

const MUTATIONS: readonly Mutate[] = [
  ...[changeBytes, insertBytes, cutOut, cutOff, repeatPart, changeEnds],
  ...[swapLines, dropLine, repeatLine, insertJunkLine],
  ...[
    changeValue,
    changeValue,
    changeValue,
    addField,
    addField,
    dropField,
    moveField,
    changeParent,
    changeParent,
    changeKind,
  ],
];

function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LF, start);
    lines.push(bytes.subarray(start, end < 0 ? bytes.length : end));
    start = end < 0 ? bytes.length : end + 1;
  }
  return lines;
}

function parsed(line: Buffer | undefined): Fields | null {
  try {
    const value: unknown = JSON.parse(line?.toString("utf8") ?? "");
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

interface Place {
  readonly holder: Fields;
  readonly key: string;
}

/** A field of the record or of an object in it. */
function randomPlace(record: Fields, random: Random): Place {
  let holder = record;
  for (;;) {
    const key = random.pick([...Object.keys(holder), "extra"]);
    const inner = holder[key];
    // Lists take changes by their positions as objects do by their keys.
    if (typeof inner !== "object" || inner === null || random.chance(0.25)) return { holder, key };
    holder = inner as Fields;
  }
}

function setField(holder: Fields, key: string, value: unknown): void {
  Object.defineProperty(holder, key === "length" && Array.isArray(holder) ? "0" : key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
