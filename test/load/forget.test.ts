import { cpSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { textColumns } from "../../pipeline/load/scrub.js";
import { tableList } from "../../schema/index.js";
import { at, type Fields, message, user } from "../support/build-records.js";
import { countedCost, load, query, queryAll, snapshot, valueOf } from "../support/proof-warehouse.js";
import { runPiquet } from "../support/run-piquet.js";
import { tempFolder } from "../support/temp-folder.js";
import { testDataFolder } from "../support/test-data.js";

const SAMPLE = resolve("examples/sessions");
/** Day of the first sample sessions is the 5th, of the others the 6th. */
const SECOND_DAY = "2026-01-06";

interface World {
  readonly home: string;
  readonly dbPath: string;
  readonly sessions: string;
}

function openWorld(): World {
  const home = tempFolder();
  const sessions = join(home, "sessions");
  cpSync(SAMPLE, sessions, { recursive: true });
  return { home, dbPath: join(home, "w.duckdb"), sessions };
}

function prune({ home, dbPath }: World, before: string, ...args: string[]) {
  return runPiquet(["prune", "--db", dbPath, "--before", before, "--json", "--quiet", ...args], { home });
}

/** Rows with text, by table. */
async function rowsWithText(dbPath: string): Promise<Record<string, number>> {
  const tables = tableList().filter((table) => textColumns(table).length > 0);
  const counts = await queryAll(
    dbPath,
    tables.map(
      (table) =>
        `select count(*)::integer as n from base.${table.name}
         where ${textColumns(table)
           .map((name) => `"${name}" is not null`)
           .join(" or ")}`,
    ),
  );
  const found = tables.map((table, index): [string, number] => [
    table.name,
    Number(counts[index]?.[0]?.["n"]),
  ]);
  return Object.fromEntries(found.filter(([, count]) => count > 0));
}

const TEXT_IN_VIEWS = [
  "name",
  "first_prompt",
  "label",
  "command",
  "error_message",
  "error_message_normalized",
];

/** Every cell of every public view that is no text. */
async function numbersOf(dbPath: string): Promise<Record<string, unknown>> {
  const views = await query(
    dbPath,
    `select table_name as view, string_agg('"' || column_name || '"', ', ' order by column_index) as columns
     from duckdb_columns() where schema_name = 'v1' and not internal
     and column_name not in (${TEXT_IN_VIEWS.map((name) => `'${name}'`).join(", ")}) group by all`,
  );
  const answers = await queryAll(
    dbPath,
    views.map(({ view, columns }) => `select ${columns} from v1.${view} order by all`),
  );
  return Object.fromEntries(views.map(({ view }, index) => [String(view), answers[index]]));
}

/** Rows of the base tables without what may hold text. */
async function factsOf(dbPath: string): Promise<Record<string, unknown>> {
  const all = await snapshot(dbPath);
  const texts = new Map(tableList().map((table) => [table.name, textColumns(table)]));
  return Object.fromEntries(
    Object.entries(all).map(([table, rows]) => [
      table,
      rows.map((row) => {
        const facts: Record<string, unknown> = JSON.parse(row);
        for (const name of texts.get(table) ?? []) delete facts[name];
        return facts;
      }),
    ]),
  );
}

function writeSession(path: string, id: string, records: readonly Fields[], header: Fields = {}): void {
  const lines = [
    { type: "session", version: 3, id, timestamp: at(0), cwd: "/home/ada/shop", ...header },
    ...records,
  ];
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

describe("columns of text", () => {
  it("may all be NULL", () => {
    for (const table of tableList()) {
      const fixed = textColumns(table).filter((name) => table.columns[name]?.isNullable !== true);
      expect([table.name, fixed]).toEqual([table.name, []]);
    }
  });
});

describe("piquet prune", () => {
  it("drops the text of the days before, and leaves every number, identity and later text", async () => {
    const world = openWorld();
    await load(world.dbPath, [world.sessions]);
    const [numbers, facts] = [await numbersOf(world.dbPath), await factsOf(world.dbPath)];
    const later = `select text, prompt from base.messages where occurred_on >= date '${SECOND_DAY}' order by all`;
    const kept = await query(world.dbPath, later);

    const dry = await prune(world, SECOND_DAY, "--dry-run");
    const rows = await rowsWithText(world.dbPath);
    const { stdout, exitCode } = await prune(world, SECOND_DAY);
    expect(JSON.parse(dry.stdout)).toMatchObject({ is_dry_run: true, rows: { messages: 16, tool_calls: 5 } });
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      0,
      {
        before: SECOND_DAY,
        is_dry_run: false,
        rows: { messages: 16, tool_calls: 5 },
        bytes_before: expect.any(Number),
        bytes_after: expect.any(Number),
        duration_ms: expect.any(Number),
      },
    ]);
    expect(await rowsWithText(world.dbPath)).toEqual({
      ...rows,
      messages: (rows["messages"] ?? 0) - 16,
      tool_calls: (rows["tool_calls"] ?? 0) - 5,
    });
    expect(await query(world.dbPath, later)).toEqual(kept);
    expect(await numbersOf(world.dbPath)).toEqual(numbers);
    expect(await factsOf(world.dbPath)).toEqual(facts);
    expect(
      await valueOf(
        world.dbPath,
        `select count(*)::integer from base.messages
        where occurred_on < date '${SECOND_DAY}' and (text is not null or prompt is not null)`,
      ),
    ).toBe(0);
  });

  it("leaves unchanged files alone, and a later fork of what was pruned adds no money", async () => {
    const world = openWorld();
    const path = join(world.sessions, "a.jsonl");
    const records = [
      user("a0000001", null, "hello"),
      message("a0000002", "a0000001", {
        role: "assistant",
        content: [{ type: "text", text: "done" }],
        provider: "anthropic",
        model: "claude-opus-5",
        usage: { input: 10, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 11, cost: { total: 2.5 } },
        stopReason: "stop",
      }),
    ];
    writeSession(path, "one", records);
    await load(world.dbPath, [world.sessions]);
    const cost = await countedCost(world.dbPath);
    await prune(world, SECOND_DAY);
    const report = await load(world.dbPath, [world.sessions]);
    expect(report.files).toMatchObject({ loaded: 0, unchanged: 5 });

    writeSession(join(world.sessions, "b.jsonl"), "two", records, {
      timestamp: at(60),
      parentSession: path,
    });
    await load(world.dbPath, [world.sessions]);
    expect(await countedCost(world.dbPath)).toBe(cost);
    expect(
      await valueOf(world.dbPath, "select parent_link from base.sessions where session_id = 'two'"),
    ).toBe("clone");
  });

  it("holds for files that are read again, whose later days keep their text", async () => {
    const world = openWorld();
    const path = join(world.sessions, "a.jsonl");
    const nextDay = { timestamp: "2026-01-06T10:00:00.000Z" };
    writeSession(path, "one", [user("a0000001", null, "old words")]);
    await load(world.dbPath, [world.sessions]);
    await prune(world, SECOND_DAY);
    writeSession(path, "one", [
      user("a0000001", null, "old words"),
      { ...user("a0000002", "a0000001", "new words"), ...nextDay },
    ]);
    await load(world.dbPath, [world.sessions]);
    const texts = `select entry_id, text from base.messages inner join base.sessions using (session_key)
      where session_id = 'one' order by all`;
    expect(await query(world.dbPath, texts)).toEqual([
      { entry_id: "a0000001", text: null },
      { entry_id: "a0000002", text: "new words" },
    ]);
    await load(world.dbPath, [world.sessions], { isFull: true });
    expect(await query(world.dbPath, texts)).toHaveLength(2);
    expect(
      await valueOf(world.dbPath, "select count(*)::integer from base.messages where text = 'old words'"),
    ).toBe(0);
  });

  it("takes rows without a time with their session, rejected lines with their file", async () => {
    const world = openWorld();
    const path = join(world.sessions, "a.jsonl");
    const timeless = { ...user("a0000002", "a0000001", "words of no day"), timestamp: "soon" };
    writeSession(path, "one", [
      user("a0000001", null, "old words"),
      timeless,
      { type: "session_info", id: "a0000003", parentId: "a0000002", timestamp: at(3), name: "A name" },
    ]);
    writeFileSync(path, `${readFileSync(path, "utf8")}no record at all\n`);
    writeFileSync(join(world.sessions, "b.jsonl"), "nor a session\n");
    utimesSync(join(world.sessions, "b.jsonl"), new Date(at(0)), new Date(at(0)));
    await load(world.dbPath, [world.sessions]);
    const report = JSON.parse((await prune(world, SECOND_DAY)).stdout);
    expect(report.rows).toMatchObject({ messages: 19, sessions: 1, entries: 1, rejects: 1 });
    expect(await query(world.dbPath, "select name from base.sessions where session_id = 'one'")).toEqual([
      { name: null },
    ]);
    expect(await valueOf(world.dbPath, "select count(text_start)::integer from base.rejects")).toBe(0);
  });

  it("follows the days of a zone that changes later", async () => {
    const world = openWorld();
    const night = { timestamp: "2026-01-06T02:00:00.000Z" };
    writeSession(join(world.sessions, "a.jsonl"), "one", [
      { ...user("a0000001", null, "late words"), ...night },
    ]);
    await load(world.dbPath, [world.sessions]);
    const found = "select count(*)::integer from base.messages where text = 'late words'";
    await prune(world, SECOND_DAY);
    expect(await valueOf(world.dbPath, found)).toBe(1);
    await load(world.dbPath, [world.sessions], { timeZone: "America/New_York" });
    expect(await valueOf(world.dbPath, found)).toBe(0);
  });

  it("never takes a later prune back", async () => {
    const world = openWorld();
    await load(world.dbPath, [world.sessions]);
    await prune(world, "2026-01-07");
    await prune(world, "2026-01-01");
    expect(await valueOf(world.dbPath, "select value from meta.settings where key = 'pruned_before'")).toBe(
      "2026-01-07",
    );
    expect(await rowsWithText(world.dbPath)).toEqual({});
  });

  it("leaves no byte of what it dropped in the file", async () => {
    const world = openWorld();
    const secret = "violet-otter-7194-umbrella";
    writeSession(join(world.sessions, "a.jsonl"), "one", [user("a0000001", null, secret)]);
    await load(world.dbPath, [world.sessions]);
    expect(readFileSync(world.dbPath).includes(secret)).toBe(true);
    await prune(world, SECOND_DAY);
    expect(readFileSync(world.dbPath).includes(secret)).toBe(false);
  });

  it("has the published files of its folder follow", async () => {
    const world = openWorld();
    const lake = join(world.home, "lake");
    await runPiquet(["ingest", "--parquet", lake, "--time-zone", "UTC", "--quiet", world.sessions], world);
    const texts = ["sql", "--parquet", lake, "--format", "csv", "select count(text) as n from base.messages"];
    const before = await runPiquet(texts, world);
    const { exitCode } = await runPiquet(["prune", "--parquet", lake, "--before", "2026-01-07"], world);
    const after = await runPiquet(texts, world);
    expect([exitCode, before.stdout === after.stdout, after.stdout]).toEqual([0, false, "n\n0\n"]);
  });

  it.each([
    [[], 2, "--before is missing"],
    [["--before", "yesterday"], 2, "--before: expected a day up to"],
    [["--before", "2026-02-30"], 2, "--before: expected a day up to"],
    [["--before", "2999-01-01"], 2, "--before: expected a day up to"],
    [["--before", "2026-01-01"], 2, "no warehouse at"],
  ])("with %j exits %i", async (args, code, words) => {
    const { exitCode, stderr } = await runPiquet(["prune", "--db", "none.duckdb", ...args], {
      home: tempFolder(),
    });
    expect([exitCode, stderr]).toEqual([code, expect.stringContaining(words)]);
  });
});

const corpus = testDataFolder();
if (corpus === null) console.info("skipped: PIQUET_TEST_DATA names no folder with a corpus");

describe.skipIf(corpus === null)("over a corpus of every kind of record", () => {
  it("a prune of all days changes no number, and no identity", async () => {
    const world = openWorld();
    const roots = ["agent", "team-sessions"].map((name) => join(corpus ?? "", "corpus", name));
    await load(world.dbPath, roots);
    const [numbers, facts] = [await numbersOf(world.dbPath), await factsOf(world.dbPath)];
    await prune(world, new Date().toISOString().slice(0, 10));
    expect(await rowsWithText(world.dbPath)).toEqual({});
    expect(await numbersOf(world.dbPath)).toEqual(numbers);
    expect(await factsOf(world.dbPath)).toEqual(facts);
  });
});

describe("a load without content", () => {
  it("leaves no text of a warehouse that held it, of gone files neither, and no number less", async () => {
    const world = openWorld();
    await load(world.dbPath, [world.sessions]);
    rmSync(
      join(
        world.sessions,
        "--home-ada-shop--/2026-01-05T09-00-00-000Z_0190a000-0000-7000-8000-00000000000a.jsonl",
      ),
    );
    await load(world.dbPath, [world.sessions]);
    const numbers = await numbersOf(world.dbPath);
    const gone = "select count(text)::integer from base.messages where not is_present";
    expect(await valueOf(world.dbPath, gone)).toBeGreaterThan(0);

    await load(world.dbPath, [world.sessions], { content: "none" });
    expect(await rowsWithText(world.dbPath)).toEqual({});
    expect(await numbersOf(world.dbPath)).toEqual(numbers);

    await load(world.dbPath, [world.sessions], { content: "full" });
    expect(await valueOf(world.dbPath, gone)).toBe(0);
    expect(
      await valueOf(world.dbPath, "select count(text)::integer from base.messages where is_present"),
    ).toBeGreaterThan(0);
  });

  it("drops text even where no file is there any more", async () => {
    const world = openWorld();
    const other = join(world.home, "other");
    await load(world.dbPath, [world.sessions]);
    cpSync(SAMPLE, other, { recursive: true });
    rmSync(join(other, "--home-ada-shop--"), { recursive: true });
    await load(world.dbPath, [other], { content: "none" });
    expect(await rowsWithText(world.dbPath)).toEqual({});
  });
});
