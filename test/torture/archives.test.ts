import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { assistant, user } from "../support/build-records.js";
import { COUNTED_COST, load, queryAll } from "../support/proof-warehouse.js";
import { HEADER } from "../support/read-rows.js";
import { tempFolder } from "../support/temp-folder.js";
import { trials } from "./support/tally.js";

const SESSION = "2026-01-05T09-00-00-000Z_s0000001.jsonl";

function sessionText(sessionId: string, replies: number): string {
  const records = Array.from({ length: replies }, (_, index) => [
    user(`${sessionId.at(-1)}000000${2 * index + 1}`, null),
    assistant(`${sessionId.at(-1)}000000${2 * index + 2}`, `${sessionId.at(-1)}000000${2 * index + 1}`),
  ]);
  return [{ ...HEADER, id: sessionId }, ...records.flat()]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join("");
}

interface State {
  /** Names of the files with `true` where they are on disk. */
  readonly files: Readonly<Record<string, boolean>>;
  readonly costUsd: unknown;
  readonly sessions: unknown;
}

async function stateOf(dbPath: string): Promise<State> {
  const [files = [], cost = [], sessions = []] = await queryAll(dbPath, [
    "select parse_filename(path) as name, is_present from base.files order by all",
    COUNTED_COST,
    "select count(*)::integer from v1.sessions",
  ]);
  return {
    files: Object.fromEntries(files.map((row) => [String(row["name"]), row["is_present"] === true])),
    costUsd: Object.values(cost[0] ?? {})[0],
    sessions: Object.values(sessions[0] ?? {})[0],
  };
}

describe("archives", () => {
  it("are read when asked for, their money once, and stay when they are not asked for again", async () => {
    const folder = tempFolder();
    const root = join(folder, "sessions");
    mkdirSync(root);
    const dbPath = join(folder, "w.duckdb");
    const live = join(root, SESSION);
    writeFileSync(live, sessionText("s0000001", 3));
    writeFileSync(`${live}.bak`, sessionText("s0000001", 2));
    copyFileSync(live, `${live}.reset.2026-01-06`);
    writeFileSync(join(root, "old.jsonl.gz"), gzipSync(sessionText("s0000002", 4)));
    writeFileSync(join(root, "gone.jsonl.deleted.1"), sessionText("s0000003", 1));
    writeFileSync(join(root, "notes.gz"), gzipSync("no session"));

    await load(dbPath, [root]);
    expect(await stateOf(dbPath)).toEqual({
      files: { [SESSION]: true },
      costUsd: "0.750000000",
      sessions: 1,
    });

    const all = {
      [SESSION]: true,
      [`${SESSION}.bak`]: true,
      [`${SESSION}.reset.2026-01-06`]: true,
      "gone.jsonl.deleted.1": true,
      "old.jsonl.gz": true,
    };
    const report = await load(dbPath, [root], { withArchives: true });
    expect([report.files.loaded, report.warnings]).toEqual([4, []]);
    const withArchives = { files: all, costUsd: "2.000000000", sessions: 3 };
    expect(await stateOf(dbPath)).toEqual(withArchives);

    await load(dbPath, [root]);
    expect(await stateOf(dbPath)).toEqual(withArchives);

    rmSync(join(root, "gone.jsonl.deleted.1"));
    await load(dbPath, [root]);
    expect(await stateOf(dbPath)).toEqual({
      ...withArchives,
      files: { ...all, "gone.jsonl.deleted.1": false },
    });
  });

  it("that cannot be unpacked are named and tried again, the rest is loaded", async () => {
    const folder = tempFolder({ "sessions/a.jsonl": sessionText("s0000001", 1) });
    const root = join(folder, "sessions");
    const dbPath = join(folder, "w.duckdb");
    const path = join(root, "b.jsonl.gz");
    const tries = trials("a packed file that is cut off");
    const packed = gzipSync(sessionText("s0000002", 1));
    writeFileSync(path, packed.subarray(0, 60));
    const broken = await load(dbPath, [root], { withArchives: true });
    expect([broken.files.loaded, broken.files.failed, broken.warnings]).toEqual([
      1,
      1,
      [`${path}: not loaded: cannot read ${path}: no whole gzip file: Z_BUF_ERROR`],
    ]);
    writeFileSync(path, packed);
    await load(dbPath, [root], { withArchives: true });
    tries.total("0.500000000", (await stateOf(dbPath)).costUsd);
    expect(readFileSync(path)).toEqual(packed);
  });
});
