import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { failedChecks } from "../support/failed-checks.js";
import { countedCost, load, query } from "../support/proof-warehouse.js";
import { tempFolder } from "../support/temp-folder.js";
import { digest } from "./support/digest.js";
import { isRoot } from "./support/ordinary-user.js";
import { trials } from "./support/tally.js";
import { writeMore, writeSessions } from "./support/write-sessions.js";

/** A small disk of its own; null where the machine lets nobody mount one. */
function smallDisk(): string | null {
  if (!isRoot) return null;
  const folder = join(tempFolder(), "disk");
  mkdirSync(folder);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=5m,mode=700", "tmpfs", folder]).status !== 0)
    return null;
  onTestFinished(() => void spawnSync("umount", [folder]));
  return folder;
}

function enlarge(folder: string): void {
  expect(spawnSync("mount", ["-o", "remount,size=200m", folder]).status).toBe(0);
}

describe("a full disk", () => {
  it("fails the load, keeps what was there, and is no hindrance later", {
    timeout: 300_000,
  }, async (context) => {
    const disk = smallDisk();
    if (disk === null)
      return context.skip("only root can mount a small disk, where mounting is allowed at all");
    const tries = trials("disk full");
    const first = writeSessions(join(tempFolder(), "sessions"), 2);
    const dbPath = join(disk, "w.duckdb");
    await load(dbPath, [first.root]);
    const before = await digest(dbPath);
    const { root, costUsd } = writeMore(first, 2, 70);
    const failure = {
      exitCode: 1,
      message: `cannot write ${dbPath}: No space left on device; nothing of this run was kept`,
    };
    for (let night = 0; night < 2; night += 1) {
      tries.begin();
      await expect(load(dbPath, [root])).rejects.toMatchObject(failure);
      tries.rows(before, await digest(dbPath));
    }

    enlarge(disk);
    await load(dbPath, [root]);
    tries.total(costUsd, await countedCost(dbPath));
    expect(await failedChecks(dbPath)).toEqual([]);
    expect(readdirSync(disk)).toEqual(["w.duckdb"]);
    const [row] = await query(
      dbPath,
      "select count(*)::integer as n from base.loads where status = 'succeeded'",
    );
    expect(row).toEqual({ n: 2 });
  });
});
