const LF = 0x0a;
const HEAD_LINES = 10;
const DEPTH_MAX = 2_000;

/** What a reader has to make of the lines of a file, worked out the plain way. Line numbers from 1. */
export interface ExpectedLines {
  /** Lines that hold an object. */
  readonly good: readonly number[];
  readonly bad: readonly number[];
  readonly blankCount: number;
  readonly lineCount: number;
  /** Bytes of a last line that is still being written. */
  readonly pendingBytes: number;
  /** Entries a session has: good lines without headers. Null where the head leaves open whether it is one. */
  readonly entries: readonly number[] | null;
}

type Line =
  | { readonly kind: "good"; readonly record: Readonly<Record<string, unknown>> }
  | { readonly kind: "bad" | "blank" | "pending" };

export function expectedLines(file: Buffer): ExpectedLines {
  const bytes = file.subarray(file.subarray(0, 3).equals(Buffer.of(0xef, 0xbb, 0xbf)) ? 3 : 0);
  const texts = splitTexts(bytes);
  const isWhole = bytes.length === 0 || bytes.at(-1) === LF;
  const lines = texts.map((text, index) => judge(text, isWhole || index < texts.length - 1));
  const last = lines.at(-1);
  const numbersOf = (kind: Line["kind"]): number[] =>
    [...lines.keys()].filter((index) => lines[index]?.kind === kind).map((index) => index + 1);
  return {
    good: numbersOf("good"),
    bad: numbersOf("bad"),
    blankCount: numbersOf("blank").length,
    lineCount: lines.length - numbersOf("pending").length,
    pendingBytes: last?.kind === "pending" ? bytes.length - (bytes.lastIndexOf(LF) + 1) : 0,
    entries: entriesOf(lines),
  };
}

function splitTexts(bytes: Buffer): string[] {
  const texts: string[] = [];
  for (let start = 0; start < bytes.length; ) {
    const at = bytes.indexOf(LF, start);
    const end = at < 0 ? bytes.length : at;
    const isCrLf = at > start && bytes[at - 1] === 0x0d;
    texts.push(bytes.toString("utf8", start, isCrLf ? end - 1 : end));
    start = end + 1;
  }
  return texts;
}

function judge(text: string, hasEnd: boolean): Line {
  if (text.trim() === "") return { kind: "blank" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: hasEnd ? "bad" : "pending" };
  }
  if (!isRecord(value)) return { kind: hasEnd ? "bad" : "pending" };
  return depthOf(text) > DEPTH_MAX ? { kind: "bad" } : { kind: "good", record: value };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Deepest nesting of valid JSON, by its brackets outside strings. */
function depthOf(text: string): number {
  if (text.length < 2 * DEPTH_MAX) return 0;
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of text.replaceAll(/"(?:[^"\\]|\\.)*"/gs, '""').matchAll(/[{}[\]]/g)) {
    depth += bracket === "{" || bracket === "[" ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** Null where something in the first lines speaks against a session, or nothing for one. */
function entriesOf(lines: readonly Line[]): readonly number[] | null {
  const head = lines.slice(0, HEAD_LINES);
  const header = head.findIndex(
    (line) =>
      line.kind === "good" && line.record["type"] === "session" && typeof line.record["id"] === "string",
  );
  const isDoubtful = head.some(
    (line) =>
      line.kind === "good" &&
      (line.record["v"] === 4 || /_(?:start|update|end|changed)$/.test(String(line.record["type"]))),
  );
  if (header < 0 || isDoubtful) return null;
  return [...lines.keys()]
    .filter((index) => {
      const line = lines[index];
      return line?.kind === "good" && index !== header && line.record["type"] !== "session";
    })
    .map((index) => index + 1);
}
