import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readSession } from "../../pipeline/extract/read-session.js";
import { recordingHandler } from "../support/recording-handler.js";
import { tempFolder } from "../support/temp-folder.js";

const LINES = '{"type":"session","id":"s1"}\n{"id":"a1"}\nno JSON\n{"id":"a2"}';

function write(bytes: Buffer, name = "a.jsonl.gz"): string {
  const path = join(tempFolder(), name);
  writeFileSync(path, bytes);
  return path;
}

describe("an archive", () => {
  it("is read as the lines that were packed, and known by the bytes on disk", () => {
    const packed = gzipSync(LINES);
    const handler = recordingHandler();
    const facts = readSession(write(packed), handler);
    expect(handler.records.map((record) => record["id"])).toEqual(["s1", "a1", "a2"]);
    expect(handler.rejects.map(({ place }) => place)).toEqual([
      { lineNumber: 3, byteOffset: 41, lineBytes: 7 },
    ]);
    expect([facts.bytesRead, facts.contentSha1]).toEqual([
      LINES.length,
      createHash("sha1").update(packed).digest("hex"),
    ]);
  });

  it("may be packed in several parts, under any name", () => {
    const handler = recordingHandler();
    const parts = [LINES.slice(0, 35), LINES.slice(35)].map((part) => gzipSync(part));
    readSession(write(Buffer.concat(parts), "a.jsonl"), handler);
    expect(handler.records).toHaveLength(3);
  });

  it("is no session file where it ends too early or is damaged", () => {
    const packed = gzipSync(LINES);
    const cut = write(packed.subarray(0, packed.length - 9));
    expect(() => readSession(cut, recordingHandler())).toThrow(
      `cannot read ${cut}: no whole gzip file: Z_BUF_ERROR`,
    );
    packed[20] = 0xff ^ (packed[20] ?? 0);
    const damaged = write(packed);
    expect(() => readSession(damaged, recordingHandler())).toThrow(/no whole gzip file: Z_\w+_ERROR$/);
  });

  it("is not unpacked beyond a limit", () => {
    const megabyte = gzipSync(Buffer.alloc(2 ** 20, "x"));
    const bomb = write(Buffer.concat(Array.from({ length: 300 }, () => megabyte)));
    expect(() => readSession(bomb, recordingHandler())).toThrow(
      `cannot read ${bomb}: an archive of more than 268435456 bytes`,
    );
  });
});
