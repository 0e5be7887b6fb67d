import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LINE_LIMITS } from "../../pipeline/extract/line-limits.js";
import { openSession, readSession } from "../../pipeline/extract/read-session.js";
import { recordingHandler } from "../support/recording-handler.js";
import { tempFolder } from "../support/temp-folder.js";

function fileOf(content: string | Buffer): string {
  const path = join(tempFolder(), "session.jsonl");
  writeFileSync(path, content);
  return path;
}

function read(content: string | Buffer, limits = LINE_LIMITS) {
  const handler = recordingHandler();
  return { ...handler, facts: readSession(fileOf(content), handler, limits) };
}

describe("readSession", () => {
  it("gives each line with its number, offset and length in bytes", () => {
    const { records, places, facts } = read('{"a":"é"}\n{"a":2}\n');
    expect(records).toEqual([{ a: "é" }, { a: 2 }]);
    expect(places).toEqual([
      { lineNumber: 1, byteOffset: 0, lineBytes: 10 },
      { lineNumber: 2, byteOffset: 11, lineBytes: 7 },
    ]);
    expect(facts).toEqual({
      lineCount: 2,
      blankLineCount: 0,
      rejectCount: 0,
      pendingTailBytes: 0,
      bytesRead: 19,
      contentSha1: createHash("sha1").update('{"a":"é"}\n{"a":2}\n').digest("hex"),
      hasByteOrderMark: false,
    });
  });

  it("reads an empty file as no lines", () => {
    const { records, facts } = read("");
    expect(records).toEqual([]);
    expect([facts.lineCount, facts.bytesRead]).toEqual([0, 0]);
    expect(facts.contentSha1).toBe("da39a3ee5e6b4b0d3255bfef95601890afd80709");
  });

  it("counts blank lines, white space included, and skips them", () => {
    const { records, places, facts } = read('\n{"a":1}\n  \t \n\u00a0\n{"a":2}\n   ');
    expect(records).toEqual([{ a: 1 }, { a: 2 }]);
    expect(places.map((place) => place.lineNumber)).toEqual([2, 5]);
    expect([facts.lineCount, facts.blankLineCount, facts.pendingTailBytes]).toEqual([6, 4, 0]);
  });

  it("takes the byte order mark and the CR of Windows off", () => {
    const { records, places, facts } = read('\ufeff{"a":1}\r\n\r\n{"a":2}\r\n');
    expect(records).toEqual([{ a: 1 }, { a: 2 }]);
    expect(places).toEqual([
      { lineNumber: 1, byteOffset: 3, lineBytes: 7 },
      { lineNumber: 3, byteOffset: 14, lineBytes: 7 },
    ]);
    expect([facts.hasByteOrderMark, facts.blankLineCount]).toEqual([true, 1]);
  });

  it("ends lines at LF alone", () => {
    const { records } = read('{"a":"x\u2028y\u2029z\u0085"}\n');
    expect(records).toEqual([{ a: "x\u2028y\u2029z\u0085" }]);
  });

  it("keeps NUL and lone surrogates, and puts U+FFFD for bytes that are no UTF-8", () => {
    const bad = Buffer.concat([Buffer.from('{"a":"x'), Buffer.from([0xff, 0xc3]), Buffer.from('y"}\n')]);
    expect(read(bad).records).toEqual([{ a: "x\ufffd\ufffdy" }]);
    expect(read('{"a":"\\u0000\\ud83d"}\n').records).toEqual([{ a: "\u0000\ud83d" }]);
  });

  it("rejects a line that is no JSON, without its text in the message", () => {
    const { records, rejects, facts } = read('{"a":1}\n{"secret":\\}\n{"a":2}\n');
    expect(records).toEqual([{ a: 1 }, { a: 2 }]);
    expect(rejects).toEqual([
      {
        reason: "invalid_json",
        message: "not valid JSON at character 11: expected a value",
        textStart: '{"secret":\\}',
        place: { lineNumber: 2, byteOffset: 8, lineBytes: 12 },
      },
    ]);
    expect([facts.rejectCount, facts.lineCount]).toEqual([1, 3]);
  });

  it.each([
    ["7\n", "a number instead of an object"],
    ['"x"\n', "a string instead of an object"],
    ["[{}]\n", "a list instead of an object"],
    ["null\n", "null instead of an object"],
  ])("rejects %j", (content, message) => {
    expect(read(content).rejects).toMatchObject([{ reason: "not_an_object", message }]);
  });

  it("shows at most 200 characters of a rejected line, and no half of a pair", () => {
    const { rejects } = read(`${"a".repeat(199)}😀b\n${"é".repeat(300)}\n`);
    expect(rejects.map((reject) => reject.textStart)).toEqual(["a".repeat(199), "é".repeat(200)]);
  });

  it("takes a complete last line without LF as a record", () => {
    const { records, facts } = read('{"a":1}\n{"a":2}');
    expect(records).toEqual([{ a: 1 }, { a: 2 }]);
    expect([facts.lineCount, facts.pendingTailBytes]).toEqual([2, 0]);
  });

  it.each(['{"a":2', "12", '{"a":"é'])("leaves the unfinished last line %j for the next run", (tail) => {
    const { records, rejects, facts } = read(`{"a":1}\n${tail}`);
    expect([records, rejects]).toEqual([[{ a: 1 }], []]);
    expect(facts).toMatchObject({
      lineCount: 1,
      rejectCount: 0,
      pendingTailBytes: Buffer.byteLength(tail),
      bytesRead: 8 + Buffer.byteLength(tail),
    });
  });

  it("stops when the handler has enough, and then knows no hash", () => {
    const handler = recordingHandler(1);
    const facts = readSession(fileOf('{"a":1}\n{"a":2}\n'), handler);
    expect(handler.records).toEqual([{ a: 1 }]);
    expect([facts.lineCount, facts.contentSha1]).toEqual([1, null]);
  });

  it("reads lines that are longer than a step, wherever they end", () => {
    const sizes = [1, 1_048_550, 1_048_576, 3_000_000, 20_000_000, 5];
    const lines = sizes.map((size) => JSON.stringify({ a: "x".repeat(size) }));
    const content = `${lines.join("\n")}\n`;
    const { records, places, facts } = read(content);
    expect(records.map((record) => String(record["a"]).length)).toEqual(sizes);
    expect(places.map((place) => place.lineBytes)).toEqual(lines.map((line) => line.length));
    expect(facts.contentSha1).toBe(createHash("sha1").update(content).digest("hex"));
  });

  it("reads an ordinary line of 100 MB", () => {
    const { records, places } = read(`{"a":"${"xy, ".repeat(25_000_000)}"}\n{"a":1}\n`);
    expect(records.map((record) => String(record["a"]).length)).toEqual([100_000_000, 1]);
    expect(places[1]).toEqual({ lineNumber: 2, byteOffset: 100_000_009, lineBytes: 7 });
  });

  it.each([
    ["short", 100, 1000],
    ["longer than a step", 3_000_000, 5_000_000],
    ["measured ahead", 20_000_000, 30_000_000],
  ])("skips a %s line above the limit and goes on after it", (_name, lineBytes, size) => {
    const long = `{"a":"${"x".repeat(size)}"}`;
    const { records, rejects, facts } = read(`{"a":1}\n${long}\r\n{"a":2}\n`, { ...LINE_LIMITS, lineBytes });
    expect(records).toEqual([{ a: 1 }, { a: 2 }]);
    expect(rejects).toEqual([
      {
        reason: "line_too_long",
        message: `line of ${size + 8} bytes, at most ${lineBytes}`,
        textStart: long.slice(0, 200),
        place: { lineNumber: 2, byteOffset: 8, lineBytes: size + 8 },
      },
    ]);
    expect([facts.lineCount, facts.bytesRead]).toEqual([3, 8 + size + 10 + 8]);
  });

  it("takes a line of just the limit, and rejects one more byte, with CR LF or none", () => {
    const limits = { ...LINE_LIMITS, lineBytes: 2_000_000 };
    const line = (size: number) => `{"a":"${"x".repeat(size - 8)}"}`;
    for (const lineEnd of ["\n", "\r\n", ""]) {
      expect(read(line(2_000_000) + lineEnd, limits).records).toHaveLength(1);
      expect(read(line(2_000_001) + lineEnd, limits).rejects).toMatchObject([{ reason: "line_too_long" }]);
    }
  });

  it("rejects a line too dense to parse, and counts nothing inside strings", () => {
    const dense = `{"a":[${"{},".repeat(6_000_000)}{}]}`;
    const { records, rejects } = read(`${dense}\n{"a":"${'\\"{},:[\\\\'.repeat(1_500_000)}"}\n`);
    expect(rejects).toMatchObject([
      { reason: "line_too_dense", message: "more than 8000000 values in one line" },
    ]);
    expect(records).toHaveLength(1);
  });

  it("rejects what is nested too deeply to be written again", () => {
    const nested = (depth: number) => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}\n`;
    const { records, rejects } = read(nested(1999) + nested(2000) + nested(500_000));
    expect(records).toHaveLength(1);
    expect(rejects.map(({ reason, message }) => [reason, message])).toEqual([
      ["invalid_json", "nested deeper than 2000"],
      ["invalid_json", "nested deeper than 2000"],
    ]);
  });

  it("names a file that it can't read", () => {
    const folder = tempFolder();
    const path = join(folder, "missing.jsonl");
    expect(() => readSession(path, recordingHandler())).toThrow(`cannot read ${path}: ENOENT`);
    const subfolder = join(folder, "folder.jsonl");
    mkdirSync(subfolder);
    expect(() => readSession(subfolder, recordingHandler())).toThrow("not a regular file");
  });
});

describe("openSession", () => {
  it("reads no further than the size at the start, and leaves a cut line", () => {
    const path = fileOf('{"a":1}\n{"a"');
    const handler = recordingHandler();
    const reading = openSession(path, handler);
    appendFileSync(path, ':2}\n{"a":3}\n');
    while (reading.step());
    expect(handler.records).toEqual([{ a: 1 }]);
    expect(reading.facts()).toMatchObject({ pendingTailBytes: 4, bytesRead: 12 });
    reading.close();
  });

  it("comes to an end where the file shrinks", () => {
    const path = fileOf(`{"a":"${"x".repeat(1_500_000)}"}\n`);
    const handler = recordingHandler();
    const reading = openSession(path, handler);
    reading.step();
    truncateSync(path, 10);
    while (reading.step());
    expect(reading.facts()).toMatchObject({
      lineCount: 0,
      bytesRead: 1_048_576,
      pendingTailBytes: 1_048_576,
    });
    reading.close();
    reading.close();
  });
});

const testData = process.env["PIQUET_TEST_DATA"];

describe.skipIf(testData === undefined)("the corpus (needs PIQUET_TEST_DATA)", () => {
  it("reads each line of each file as JSON.parse does", () => {
    const root = join(testData ?? "", "corpus");
    const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
      path.endsWith(".jsonl"),
    );
    expect(paths.length).toBeGreaterThan(100);
    const rejects = paths.flatMap((path) => {
      const handler = recordingHandler();
      const facts = readSession(join(root, path), handler);
      expect(facts.lineCount).toBe(handler.records.length + handler.rejects.length + facts.blankLineCount);
      return handler.rejects.map((reject) => `${path}:${reject.place.lineNumber} ${reject.message}`);
    });
    expect(rejects).toEqual([
      "agent/sessions/--home-dev-edge--/2026-10-10T10-00-06-000Z_edge-malformed-middle.jsonl:4 not valid JSON at character 31: string without an end",
      "agent/sessions/--home-dev-edge--/2026-10-10T10-00-07-000Z_edge-two-records-one-line.jsonl:4 not valid JSON at character 191: text after the value",
      "agent/sessions/--home-dev-edge--/2026-10-10T10-00-14-000Z_edge-scalars.jsonl:3 null instead of an object",
      "agent/sessions/--home-dev-edge--/2026-10-10T10-00-14-000Z_edge-scalars.jsonl:4 a number instead of an object",
      "agent/sessions/--home-dev-edge--/2026-10-10T10-00-14-000Z_edge-scalars.jsonl:5 a string instead of an object",
      "agent/sessions/--home-dev-edge--/2026-10-10T10-00-14-000Z_edge-scalars.jsonl:6 a list instead of an object",
    ]);
  });
});
