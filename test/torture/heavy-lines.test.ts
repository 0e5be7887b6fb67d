import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { load, queryAll } from "../support/proof-warehouse.js";
import { HEADER } from "../support/read-rows.js";
import { tempFolder } from "../support/temp-folder.js";
import { trials } from "./support/tally.js";

const MEGABYTE = 2 ** 20;

/** A line in parts, so that a large one never stands in memory as a whole. */
type Parts = Iterable<string>;

function* repeated(text: string, bytes: number): Parts {
  const block = text.repeat(Math.ceil(MEGABYTE / text.length));
  for (let left = bytes; left > 0; left -= block.length)
    yield left >= block.length ? block : text.repeat(left / text.length);
}

function* around(head: string, middle: Parts, tail: string): Parts {
  yield head;
  yield* middle;
  yield tail;
}

function custom(id: string, data: Parts): Parts {
  return around(
    `{"type":"custom","id":"${id}","timestamp":"2026-01-05T09:01:00.000Z","customType":"x","data":`,
    data,
    "}",
  );
}

const LABEL =
  '{"type":"label","id":"b0000009","parentId":null,"timestamp":"2026-01-05T09:02:00.000Z","targetId":"x"}';

/** A session with one line of bulk between good ones. */
function writeSession(path: string, line: Parts): void {
  const fd = openSync(path, "w");
  writeSync(fd, `${JSON.stringify({ ...HEADER, id: path })}\n`);
  for (const part of line) writeSync(fd, part);
  writeSync(fd, `\n${LABEL}\n`);
  closeSync(fd);
}

const LINES: Readonly<Record<string, Parts>> = {
  key: custom("b0000001", around('{"', repeated("k", 10 * MEGABYTE), '":1}')),
  numbers: custom("b0000002", around("[0", repeated(",1", 8 * MEGABYTE), "]")),
  objects: custom("b0000003", around("[{}", repeated(",{}", 90_000_000), "]")),
  dense: custom("b0000004", around("[0", repeated(",1", 15_000_000), "]")),
  brackets: custom("b0000005", around("[", repeated("[", 2 * MEGABYTE), "]")),
  depth: custom("b0000006", around("[".repeat(500_000), ["1"], "]".repeat(500_000))),
  text: custom("b0000007", around('"', repeated("text \\n ", 60 * MEGABYTE), '"')),
  escapes: custom("b0000008", around('"', repeated("\\ud800", 12 * MEGABYTE), '"')),
};

describe("lines of many megabytes", () => {
  it("are kept or rejected one by one, and take no other line with them", { timeout: 600_000 }, async () => {
    const folder = tempFolder();
    const tries = trials("lines of many megabytes");
    for (const [name, line] of Object.entries(LINES)) {
      tries.begin();
      writeSession(join(folder, `${name}.jsonl`), line);
    }
    const dbPath = join(folder, "w.duckdb");
    const report = await load(dbPath, [folder], { jobs: 2 });
    expect(report.files).toMatchObject({ seen: 8, loaded: 8, failed: 0 });
    const [rows] = await queryAll(dbPath, [
      `select replace(parse_filename(path), '.jsonl', '') as name, record_count::integer as entries,
        (select string_agg(reason || ' ' || line_number) from base.rejects where rejects.file_id = files.file_id) as reject
       from base.files order by name`,
    ]);
    const expected = [
      { name: "brackets", entries: 1, reject: "invalid_json 2" },
      { name: "dense", entries: 2, reject: null },
      { name: "depth", entries: 1, reject: "invalid_json 2" },
      { name: "escapes", entries: 2, reject: null },
      { name: "key", entries: 2, reject: null },
      { name: "numbers", entries: 2, reject: null },
      { name: "objects", entries: 1, reject: "line_too_dense 2" },
      { name: "text", entries: 2, reject: null },
    ];
    tries.total(expected, rows);
  });
});
