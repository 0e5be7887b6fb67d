import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { assistant } from "../support/build-records.js";
import { COUNTED_COST, countedCost, load, query, queryAll } from "../support/proof-warehouse.js";
import { HEADER } from "../support/read-rows.js";
import { tempFolder } from "../support/temp-folder.js";
import { trials } from "./support/tally.js";

/** Names that mean something to a shell, to SQL, to a pattern, to a terminal or to a person's eyes. */
const NAMES: readonly string[] = [
  "it's",
  'said "no"',
  "`back`",
  "[abc]",
  "{a,b}",
  "star*",
  "what?",
  "100%",
  "%s%n",
  "semi;colon",
  "-rf",
  "--db",
  "a\nb",
  "tab\tcr\r",
  "bell\u0007",
  "rtl\u202etxt",
  "\u2066isolate\u2069",
  "zero\u200bwidth",
  "e\u0301 and \u00e9",
  "\u{1f600}\u{1f468}\u200d\u{1f469}",
  "日本語",
  "back\\slash",
  "$HOME",
  "~",
  " leading and trailing ",
  ".hidden",
  "...",
  "null",
  "x'; drop table base.usage; --",
  "x".repeat(249),
  "é".repeat(124),
];

function sessionText(index: number): string {
  const id = `a${String(index).padStart(7, "0")}`;
  return [{ ...HEADER, id: `s${index}` }, assistant(id, null)]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join("");
}

describe("names", () => {
  it("of any kind load, are shown as they are, and are found again", { timeout: 300_000 }, async () => {
    const folder = tempFolder();
    const root = join(folder, "se'ss [1] ?*%\n\u202e\u{1f600}");
    const paths = NAMES.flatMap((name, index) => {
      mkdirSync(join(root, name), { recursive: true });
      return [join(root, `${name}.jsonl`), join(root, name, `${index}.jsonl`)];
    });
    const tries = trials("odd names of files and folders");
    for (const [index, path] of paths.entries()) {
      tries.begin();
      writeFileSync(path, sessionText(index + 1));
    }
    const dbPath = join(folder, "w.duckdb");
    const first = await load(dbPath, [root]);
    expect([first.files.loaded, first.files.failed, first.warnings]).toEqual([paths.length, 0, []]);
    const [files = [], cost = []] = await queryAll(dbPath, ["select path from base.files", COUNTED_COST]);
    expect(files.map((row) => row["path"]).toSorted()).toEqual(paths.toSorted());
    tries.total([(paths.length * 0.25).toFixed(9)], Object.values(cost[0] ?? {}));
    expect((await load(dbPath, [root])).files).toMatchObject({
      unchanged: paths.length,
      loaded: 0,
      missing: 0,
    });
  });

  it("that are no UTF-8 are told, and take nothing else with them", async () => {
    const folder = tempFolder();
    const root = join(folder, "sessions");
    const tries = trials("names that are no UTF-8");
    mkdirSync(root);
    writeFileSync(join(root, "a.jsonl"), sessionText(1));
    writeFileSync(
      Buffer.concat([Buffer.from(`${root}/b`), Buffer.of(0xff, 0xfe), Buffer.from(".jsonl")]),
      sessionText(2),
    );
    const dbPath = join(folder, "w.duckdb");
    const report = await load(dbPath, [root]);
    expect([report.files.loaded, report.files.failed, report.warnings]).toEqual([
      1,
      1,
      [`${root}/b\ufffd\ufffd.jsonl: cannot be read: ENOENT`],
    ]);
    expect((await load(dbPath, [root])).files).toMatchObject({ unchanged: 1, missing: 0 });
    tries.total("0.250000000", await countedCost(dbPath));
  });

  it.each([
    "it's [1].duckdb",
    'a "b" %s.duckdb',
    "new\nline.duckdb",
    "\u{1f600}\u202e*.duckdb",
    `${"x".repeat(240)}.duckdb`,
  ])("of a warehouse such as %j are taken", async (name) => {
    const folder = tempFolder({ "sessions/a.jsonl": sessionText(1) });
    const dbPath = join(folder, name);
    const tries = trials("odd names of a warehouse");
    await load(dbPath, [join(folder, "sessions")]);
    tries.total([{ n: 1 }], await query(dbPath, "select count(*)::integer as n from base.entries"));
  });
});

describe("links", () => {
  it("in loops, to parents, to the root itself and to nothing load each file once", async () => {
    const folder = tempFolder({
      "real/shop/a.jsonl": sessionText(1),
      "real/shop/deep/b.jsonl": sessionText(2),
      "elsewhere/c.jsonl": sessionText(3),
    });
    const real = join(folder, "real");
    const tries = trials("links in loops, overlapping roots");
    symlinkSync(real, join(folder, "sessions"));
    symlinkSync("..", join(real, "shop", "parent"));
    symlinkSync("loop-b", join(real, "loop-a"));
    symlinkSync("loop-a", join(real, "loop-b"));
    symlinkSync(".", join(real, "itself"));
    symlinkSync(join(folder, "elsewhere"), join(real, "other"));
    symlinkSync(join(folder, "elsewhere", "c.jsonl"), join(real, "again.jsonl"));
    symlinkSync(join(folder, "not-mounted"), join(real, "nothing"));
    symlinkSync("/dev/zero", join(real, "endless.jsonl"));
    const dbPath = join(folder, "w.duckdb");
    const roots = [
      join(folder, "sessions"),
      real,
      join(real, "shop"),
      join(folder, "sessions", "shop", "deep"),
    ];
    const report = await load(dbPath, roots);
    expect(report.files).toMatchObject({ seen: 3, loaded: 3 });
    const files = await query(dbPath, "select path from base.files order by path");
    tries.total("0.750000000", await countedCost(dbPath));
    expect(files.map((row) => row["path"])).toEqual([
      join(folder, "elsewhere/c.jsonl"),
      join(real, "shop/a.jsonl"),
      join(real, "shop/deep/b.jsonl"),
    ]);
    for (const root of roots)
      expect((await load(dbPath, [root])).files).toMatchObject({ loaded: 0, missing: 0 });
  });
});
