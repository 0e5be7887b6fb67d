import { appendFileSync, chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { query } from "../support/proof-warehouse.js";
import { tempFolder } from "../support/temp-folder.js";
import { digest } from "./support/digest.js";
import { giveAway, ordinaryUser } from "./support/ordinary-user.js";
import { type Ended, runToEnd } from "./support/piquet-process.js";
import { trials } from "./support/tally.js";
import { writeSessions } from "./support/write-sessions.js";

const user = ordinaryUser();
const timeout = 300_000;
const PRESENCE = "select parse_filename(path) as name, is_present from base.files order by path";
const THREE_PRESENT = ["session-0000", "session-0001", "session-0002"].map((name) => ({
  name: `${name}.jsonl`,
  is_present: true,
}));

function run(folder: string, args: readonly string[]): Promise<Ended> {
  return runToEnd(args, { cwd: folder, ...user });
}

function lastMessage({ stderr }: Ended): string {
  return JSON.parse(stderr.trim().split("\n").at(-1) ?? "{}").msg;
}

describe.skipIf(user === null)("rights", () => {
  it("that are missing on files and folders are told, and make nothing gone", { timeout }, async () => {
    const folder = tempFolder();
    const root = join(folder, "sessions");
    writeSessions(join(root, "shop"), 3);
    giveAway(folder);
    const dbPath = join(folder, "w.duckdb");
    const args = ["ingest", root, "--db", dbPath, "--json"];
    expect((await run(folder, args)).exitCode).toBe(0);
    const before = await digest(dbPath);
    const tries = trials("files and folders without rights");

    const closed = join(root, "shop", "session-0001.jsonl");
    appendFileSync(closed, "\n");
    for (const [path, mode, warning] of [
      [closed, 0o644, `${closed}: not loaded: cannot read ${closed}: EACCES`],
      [join(root, "shop"), 0o755, `${join(root, "shop")}: cannot be read: EACCES`],
      [root, 0o755, `${root}: cannot be read: EACCES`],
    ] as const) {
      tries.begin();
      chmodSync(path, 0);
      const { exitCode, stdout } = await run(folder, args);
      chmodSync(path, mode);
      expect([exitCode, JSON.parse(stdout)]).toEqual([
        0,
        expect.objectContaining({
          warnings: [warning],
          files: expect.objectContaining({ failed: 1, missing: 0 }),
        }),
      ]);
      tries.total(THREE_PRESENT, await query(dbPath, PRESENCE));
    }
    expect(JSON.parse((await run(folder, args)).stdout)).toMatchObject({
      files: { loaded: 1, failed: 0 },
      warnings: [],
    });
    // The file that grew by an empty line has another row in files.
    const { files: _before, ...tables } = before;
    const { files: _files, ...found } = await digest(dbPath);
    tries.rows(tables, found);
  });

  it("that are missing where the warehouse lies fail the load, which names it", { timeout }, async () => {
    const folder = tempFolder();
    const { root } = writeSessions(join(folder, "sessions"), 1);
    const closed = join(folder, "closed");
    trials("a warehouse's folder without rights");
    mkdirSync(closed);
    giveAway(folder);
    chmodSync(closed, 0o555);
    const dbPath = join(closed, "w.duckdb");
    const inClosed = await run(folder, ["ingest", root, "--db", dbPath]);
    const below = await run(folder, ["ingest", root, "--db", join(closed, "new", "w.duckdb")]);
    expect([inClosed.exitCode, lastMessage(inClosed)]).toEqual([
      1,
      expect.stringContaining("Permission denied"),
    ]);
    expect(lastMessage(inClosed)).toContain(`cannot open ${dbPath} as a warehouse`);
    expect([below.exitCode, lastMessage(below)]).toEqual([
      1,
      `cannot make the folder ${join(closed, "new")}: EACCES: permission denied, mkdir '${join(closed, "new")}'`,
    ]);
    expect(readdirSync(closed)).toEqual([]);
  });

  it("are those of the owner alone on all that is written", { timeout }, async () => {
    const folder = tempFolder();
    const { root } = writeSessions(join(folder, "sessions"), 1);
    giveAway(folder);
    const lake = join(folder, "lake");
    expect((await run(folder, ["ingest", root, "--parquet", lake])).exitCode).toBe(0);
    const written = readdirSync(lake, { recursive: true, encoding: "utf8" }).map((name) => join(lake, name));
    expect(written.length).toBeGreaterThan(20);
    const modes = [lake, ...written].map((path) => statSync(path));
    expect(modes.filter((stats) => (stats.mode & 0o777) !== (stats.isDirectory() ? 0o700 : 0o600))).toEqual(
      [],
    );
  });
});
