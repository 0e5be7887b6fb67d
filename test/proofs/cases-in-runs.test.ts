import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answersTo, type Expectation, plain, withoutNotes } from "../support/case-answers.js";
import { COMMON, type Meanings } from "../support/case-meanings.js";
import { load, query, queryAll, valueOf } from "../support/proof-warehouse.js";
import { runPiquet } from "../support/run-piquet.js";
import { tempFolder } from "../support/temp-folder.js";
import { testDataFolder } from "../support/test-data.js";
import { filesBelow } from "../support/world-folder.js";

const data = testDataFolder();
if (data === null) console.info("skipped: PIQUET_TEST_DATA names no folder with cases");

/** A case on disk beside an empty warehouse. */
function openCase(name: string) {
  const folder = tempFolder();
  const source = join(data ?? "", "cases", name);
  const sessions = join(folder, "sessions");
  const dbPath = join(folder, "w.duckdb");
  const expected: Readonly<Record<string, Expectation>> = JSON.parse(
    readFileSync(join(source, "expected.json"), "utf8"),
  );
  return {
    folder,
    source,
    sessions,
    dbPath,
    expected: (key: string): Expectation => expected[key] ?? {},
    put: (run: string): void => {
      rmSync(sessions, { recursive: true, force: true });
      cpSync(join(source, run, "sessions"), sessions, { recursive: true });
    },
    check: async (key: string, meanings: Meanings = {}): Promise<void> => {
      const answers = await answersTo(expected[key] ?? {}, { ...COMMON, ...meanings }, dbPath);
      expect(answers).toEqual(withoutNotes(expected[key] ?? {}));
    },
  };
}

/** Sets one time on all files, as a tool that keeps times would leave them. */
function setTimes(folder: string): void {
  const time = new Date("2026-09-02T00:00:00Z");
  for (const path of filesBelow(folder)) utimesSync(join(folder, path), time, time);
}

describe.skipIf(data === null)("a case in several runs", () => {
  it("14: a line still being written is read once it is whole", async () => {
    const world = openCase("14-line-still-being-written");
    const pending = {
      pending_tail: "select bool_or(pending_tail_bytes > 0) from base.files",
    };
    world.put("run1");
    const first = await load(world.dbPath, [world.sessions]);
    expect([first.pending_tails, first.rejects]).toEqual([1, 0]);
    await world.check("run1", pending);
    world.put("run2");
    await load(world.dbPath, [world.sessions]);
    await world.check("run2_after_run1", pending);
  });

  it("14: a whole last line counts without its line feed", async () => {
    const world = openCase("14-line-still-being-written");
    world.put("run3");
    const report = await load(world.dbPath, [world.sessions]);
    expect(report.pending_tails).toBe(0);
    await world.check("run3_alone");
  });

  it("22: a version 1 file alone, and beside its migrated copy", async () => {
    const world = openCase("22-v1-file-and-its-migrated-copy");
    world.put("");
    await load(world.dbPath, [world.sessions]);
    await world.check("v1_alone");
    const keyAlone = await valueOf(world.dbPath, "select session_key from base.sessions");

    const backup = join(world.folder, "backup/sessions");
    cpSync(join(world.source, "backup/sessions"), backup, { recursive: true });
    for (const roots of [
      [world.sessions, backup],
      [backup, world.sessions],
    ]) {
      const dbPath = join(world.folder, `both-${roots[0] === backup}.duckdb`);
      await load(dbPath, roots);
      const sessions = await query(
        dbPath,
        `select format_version, session_key, is_copy_only from base.sessions order by format_version`,
      );
      expect(sessions).toMatchObject([
        { format_version: 1, session_key: keyAlone, is_copy_only: false },
        { format_version: 3, session_key: expect.stringMatching(new RegExp(`^${keyAlone}-[0-9a-f]+$`)) },
      ]);
      const { session_key: _key, is_copy_only: _only, ...numbers } = world.expected("both_roots");
      const meanings = { v1_sessions: { sql: "select count(*) from v1.sessions", isChoice: true } };
      const answers = await answersTo(numbers, { ...COMMON, ...meanings }, dbPath);
      expect(answers).toEqual(withoutNotes(numbers));
    }
  });

  it("28: a file rewritten in place with the same size and time", async () => {
    const world = openCase("28-file-rewritten-in-place");
    const runs = ["run1", "run2", "run3"] as const;
    const bytes = Object.fromEntries(
      runs.map((run) => [run, readFileSync(onlyFile(join(world.source, run)), "utf8")]),
    );
    const meanings = {
      v1_sessions_entry_count: "select entry_count from v1.sessions",
      entries: "select count(*) from base.entries",
      text_updated: countText(textsOnlyIn(bytes["run2"], bytes["run1"]), "n > 0"),
      old_text_gone: countText(textsOnlyIn(bytes["run1"], bytes["run2"]), "n = 0"),
    };
    for (const [run, key] of [
      ["run1", "run1"],
      ["run2", "run2_after_run1"],
      ["run3", "run3_after_run2"],
      ["run1", "run1_again"],
    ] as const) {
      world.put(run);
      setTimes(world.sessions);
      await load(world.dbPath, [world.sessions]);
      await world.check(key, meanings);
    }
  });

  it("29: a file deleted later, and back under another name", async () => {
    const world = openCase("29-source-file-deleted-later");
    const meanings = {
      entries: "select count(*) from base.entries",
      sessions_source_missing: "select count(*) from base.sessions where not is_present",
      files_missing: "select count(*) from base.files where not is_present",
    };
    world.put("run1");
    await load(world.dbPath, [world.sessions]);
    await world.check("run1", meanings);
    world.put("run2");
    const report = await load(world.dbPath, [world.sessions]);
    expect(report.files.missing).toBe(1);
    await world.check("run2_after_run1", meanings);

    world.put("run1");
    const other = join(world.sessions, "--home-mara-other--");
    const [name = ""] = readdirSync(other);
    mkdirSync(join(world.sessions, "moved"));
    renameSync(join(other, name), join(world.sessions, "moved", "renamed.jsonl"));
    await load(world.dbPath, [world.sessions]);
    await world.check("file_back_under_another_name");
    const places = await query(
      world.dbPath,
      "select parse_filename(path) as name from v1.pi_session_totals order by 1",
    );
    expect(places).toContainEqual({ name: "renamed.jsonl" });
  });

  it("15: a broken line is a warning, and a failure only under --strict", async () => {
    const world = openCase("15-broken-line-in-the-middle");
    const sessions = join(world.source, "sessions");
    const args = ["ingest", sessions, "--json", "--quiet"];
    const lax = await runPiquet([...args, "--db", "lax.duckdb"], { home: world.folder });
    const strict = await runPiquet([...args, "--db", "strict.duckdb", "--strict"], { home: world.folder });
    expect([lax.exitCode, strict.exitCode]).toEqual([0, 3]);
    const warnings = JSON.parse(lax.stdout).warnings.join("\n");
    for (const word of Object.values(world.expected("error_mentions"))) expect(warnings).toContain(word);
  });

  it("19: odd characters neither cut nor drop a text", async () => {
    const world = openCase("19-lone-surrogates-nul-bad-utf8");
    world.put("");
    await load(world.dbPath, [world.sessions]);
    const [line = ""] = readFileSync(onlyFile(world.source), "latin1")
      .split("\n")
      .filter((text) => text.includes("10000001"));
    const [row] = await query(world.dbPath, "select text from base.messages where entry_id = '10000001'");
    const written: string = JSON.parse(line).message.content[0].text;
    const withoutHalves = written.replaceAll(/\p{Cs}/gu, "\ufffd");
    expect([withoutHalves, withoutHalves.replaceAll("\0", "\ufffd")]).toContain(row?.["text"]);
  });

  it("25: days in the zone of the warehouse", async () => {
    const world = openCase("25-day-boundaries-and-dst");
    world.put("");
    await load(world.dbPath, [world.sessions], { timeZone: "America/Los_Angeles" });
    const [byDay = [], byMessage = []] = await queryAll(world.dbPath, [
      "select spent_on, sum(cost_usd)::decimal(18, 9) as cost from v1.spend_daily group by all",
      "select occurred_on, sum(cost_usd)::decimal(18, 9) as cost from base.usage group by all",
    ]);
    const expected = withoutNotes(world.expected("cost_by_day_America/Los_Angeles"));
    expect(Object.fromEntries(byDay.map((row) => [row["spent_on"], plain(row["cost"])]))).toEqual(expected);
    expect(Object.fromEntries(byMessage.map((row) => [row["occurred_on"], plain(row["cost"])]))).toEqual(
      expected,
    );
  });
});

function onlyFile(folder: string): string {
  const [path = ""] = filesBelow(folder).filter((name) => name.endsWith(".jsonl"));
  return join(folder, path);
}

/** Texts of messages in one file and not in the other. */
function textsOnlyIn(one = "", other = ""): string[] {
  const texts = (file: string): string[] => file.match(/(?<="text":")[^"]+/g) ?? [];
  return texts(one).filter((text) => !texts(other).includes(text));
}

function countText(texts: readonly string[], test: string): string {
  const list = texts.map((text) => `'${text.replaceAll("'", "''")}'`).join(", ");
  return `select ${test} from (select count(*) as n from base.messages where text in (${list || "''"}))`;
}
