import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { failedChecks } from "../support/failed-checks.js";
import { countedCost, load, query, queryAll } from "../support/proof-warehouse.js";
import { tempFolder } from "../support/temp-folder.js";
import { trials } from "./support/tally.js";
import { writeSessions } from "./support/write-sessions.js";
import { tortureSeed } from "./torture-options.js";

const timeout = 1_200_000;

/**
 * A process that does to session files what Pi, editors, syncs and people do, and all of it at once. Entries of
 * a file have ids of their own, so that each file's content can be compared.
 */
const RESTLESS = `
  import fs from "node:fs";
  import { join } from "node:path";
  const [root, seed] = process.argv.slice(1);
  let state = Number(seed);
  const below = (end) => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0), Math.floor((state / 2 ** 32) * end));
  let count = 0;
  const at = () => new Date(Date.UTC(2026, 0, 5) + (count += 1) * 1000).toISOString();
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: { total: 0.25 } };
  const entry = () => JSON.stringify({ type: "message", id: "x" + count, parentId: null, timestamp: at(),
    message: { role: "assistant", content: [{ type: "text", text: "word ".repeat(below(400)) }], usage, provider: "p", model: "m" } }) + "\\n";
  const session = (name, entries) => JSON.stringify({ type: "session", version: 3, id: name + count, timestamp: at(), cwd: "/home/ada/shop" }) + "\\n"
    + Array.from({ length: entries }, entry).join("");
  const actions = [
    (path) => fs.appendFileSync(path, entry()),
    (path) => fs.appendFileSync(path, Array.from({ length: 50 }, entry).join("")),
    (path) => fs.appendFileSync(path, entry().slice(0, 1 + below(60))),
    (path) => fs.truncateSync(path, below(fs.statSync(path).size + 1)),
    (path, name) => fs.writeFileSync(path, session(name, 1 + below(400))),
    (path, name) => { fs.writeFileSync(path + ".part", session(name, 1 + below(400))); fs.renameSync(path + ".part", path); },
    (path) => fs.rmSync(path, { force: true }),
    (path) => { const fd = fs.openSync(path, "r+"); fs.writeSync(fd, "overwritten ".repeat(20), below(fs.statSync(path).size + 1)); fs.closeSync(fd); },
  ];
  const act = () => {
    for (let left = 8; left > 0; left -= 1) {
      const name = "file-" + below(12);
      try { actions[below(actions.length)](join(root, name + ".jsonl"), name); } catch {}
    }
    if (Date.now() - startedAt < 120_000) setTimeout(act, 1);
  };
  const startedAt = Date.now();
  for (let file = 0; file < 12; file += 1) fs.writeFileSync(join(root, "file-" + file + ".jsonl"), session("file-" + file, 2000));
  console.log("started");
  act();
`;

/** A process that appends to one session without a pause. */
const WRITING = `
  import fs from "node:fs";
  const [path] = process.argv.slice(1);
  const fd = fs.openSync(path, "a");
  const usage = { input: 1, output: 1, cost: { total: 0.25 } };
  fs.writeSync(fd, '{"type":"session","version":3,"id":"s-live","timestamp":"2026-01-05T09:00:00.000Z","cwd":"/home/ada/shop"}\\n');
  const startedAt = Date.now();
  for (let count = 1; Date.now() - startedAt < 120_000; count += 1) {
    const line = JSON.stringify({ type: "message", id: "l" + count, parentId: count > 1 ? "l" + (count - 1) : null, timestamp: new Date(1767600000000 + count * 1000).toISOString(),
      message: { role: "assistant", content: [{ type: "text", text: "on and on" }], usage, provider: "p", model: "m" } }) + "\\n";
    const cut = count % 3 === 0 ? 40 : line.length;
    fs.writeSync(fd, line.slice(0, cut));
    if (count === 1) console.log("started");
    fs.writeSync(fd, line.slice(cut));
    if (count % 10 === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  }
`;

async function startScript(script: string, args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, "--", ...args]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await new Promise((started) => child.stdout.once("data", started));
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((done) => child.once("close", done));
  child.kill("SIGKILL");
  await ended;
}

/** Entries and money of each file as it is now, without what earlier readings of it left. */
const BY_FILE = `select parse_filename(files.path) as name, count(entries.entry_id)::integer as entries, min(entries.entry_id) as first,
    max(entries.entry_id) as last, any_value(files.reject_count) as rejects, any_value(files.pending_tail_bytes) as pending
  from base.files
  left join base.entries on entries.file_id = files.file_id and entries.is_present
  where files.is_present group by all order by all`;

describe("files that do not keep still", () => {
  it("never break a load, and are as they are once they rest", { timeout }, async () => {
    const folder = tempFolder();
    const root = join(folder, "sessions");
    mkdirSync(root);
    const tries = trials("files that change while they are read");
    const child = await startScript(RESTLESS, [root, String(tortureSeed)]);
    const dbPath = join(folder, "w.duckdb");
    for (let night = 0; night < 3; night += 1) {
      tries.begin();
      const report = await load(dbPath, [root], { jobs: night });
      for (const warning of report.warnings)
        expect(warning).toMatch(/not loaded: cannot read .*: ENOENT$|: line \d+: /);
    }
    await stop(child);
    await load(dbPath, [root]);
    const freshPath = join(folder, "fresh.duckdb");
    await load(freshPath, [root]);
    tries.total(await query(freshPath, BY_FILE), await query(dbPath, BY_FILE));
    expect(await failedChecks(dbPath)).toEqual([]);
  });

  it("such as one that is written to all the time come to an end, and lose no record", {
    timeout,
  }, async () => {
    const folder = tempFolder();
    const root = join(folder, "sessions");
    mkdirSync(root);
    const tries = trials("a process that appends all the time");
    const child = await startScript(WRITING, [join(root, "live.jsonl")]);
    const dbPath = join(folder, "w.duckdb");
    let seen = 0;
    for (let night = 0; night < 3; night += 1) {
      tries.begin();
      await load(dbPath, [root]);
      const [rows = []] = await queryAll(dbPath, [
        "select count(*)::integer as n, count(distinct entry_id)::integer as ids from base.entries",
      ]);
      expect(rows[0]?.["n"]).toBe(rows[0]?.["ids"]);
      expect(Number(rows[0]?.["n"])).toBeGreaterThan(seen);
      seen = Number(rows[0]?.["n"]);
    }
    await stop(child);
    await load(dbPath, [root]);
    const [row] = await query(
      dbPath,
      "select count(*)::integer as n, max(entry_seq) as last, any_value(reject_count) as rejects from base.entries join base.files using (file_id)",
    );
    expect(row?.["n"]).toBe(row?.["last"]);
    expect(row?.["rejects"]).toBe(0);
    tries.total((Number(row?.["n"]) * 0.25).toFixed(9), await countedCost(dbPath));
  });

  it("such as a disk that is not mounted, or is empty, make nothing gone", { timeout }, async () => {
    const folder = tempFolder();
    const { root, costUsd } = writeSessions(join(folder, "mount", "sessions"), 2);
    const other = writeSessions(join(folder, "other"), 0).root;
    const dbPath = join(folder, "w.duckdb");
    await load(dbPath, [root, other]);
    const tries = trials("a root that is empty or not mounted");
    const gone = "select count(*)::integer as n from base.files where not is_present";
    renameSync(root, `${root}-away`);
    mkdirSync(root);
    expect((await load(dbPath, [root, other])).files).toMatchObject({ seen: 0, missing: 0 });
    rmSync(root, { recursive: true });
    expect((await load(dbPath, [root, other])).files).toMatchObject({ seen: 0, missing: 0 });
    tries.total([{ n: 0 }], await query(dbPath, gone));
    renameSync(`${root}-away`, root);
    expect((await load(dbPath, [root, other])).files).toMatchObject({ seen: 2, unchanged: 2 });
    tries.total(costUsd, await countedCost(dbPath));
  });
});
