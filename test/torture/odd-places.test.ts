import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { countedCost } from "../support/proof-warehouse.js";
import { tempFolder } from "../support/temp-folder.js";
import { giveAway, ordinaryUser } from "./support/ordinary-user.js";
import { type Ended, runToEnd } from "./support/piquet-process.js";
import { trials } from "./support/tally.js";
import { writeSessions } from "./support/write-sessions.js";

const timeout = 300_000;
const user = ordinaryUser();

function hasPipes(): boolean {
  return spawnSync("mkfifo", ["--version"]).status === 0;
}

function said({ stderr }: Ended): string {
  return stderr.trim().split("\n").join(" ");
}

describe("a warehouse's path", () => {
  it("that is a link to a disk that is not mounted is refused, and stays a link", { timeout }, async () => {
    const folder = tempFolder();
    const tries = trials("a warehouse behind a link");
    const { root, costUsd } = writeSessions(join(folder, "sessions"), 1);
    const disk = join(folder, "disk");
    const dbPath = join(folder, "w.duckdb");
    symlinkSync(join(disk, "w.duckdb"), dbPath);
    const refused = await runToEnd(["ingest", root, "--db", dbPath], { cwd: folder });
    expect([refused.exitCode, said(refused)]).toEqual([
      1,
      expect.stringContaining(`w.duckdb is a link to ${join(disk, "w.duckdb")}, which is not there`),
    ]);
    expect([lstatSync(dbPath).isSymbolicLink(), existsSync(disk)]).toEqual([true, false]);

    const there = await runToEnd(["ingest", root, "--db", join(disk, "w.duckdb")], { cwd: folder });
    const behind = await runToEnd(["ingest", root, "--db", dbPath, "--full"], { cwd: folder });
    expect([there.exitCode, behind.exitCode, lstatSync(dbPath).isSymbolicLink()]).toEqual([0, 0, true]);
    tries.total(costUsd, await countedCost(join(disk, "w.duckdb")));
  });

  it("that is a folder or a pipe is refused at once", { timeout }, async () => {
    const folder = tempFolder();
    const { root } = writeSessions(join(folder, "sessions"), 1);
    mkdirSync(join(folder, "folder.duckdb"));
    const names = ["folder.duckdb"];
    if (hasPipes()) {
      spawnSync("mkfifo", [join(folder, "pipe.duckdb")]);
      names.push("pipe.duckdb");
    }
    for (const name of names) {
      for (const command of [
        ["ingest", root],
        ["prune", "--before", "2026-01-01"],
        ["sql", "select 1"],
        ["check"],
        ["publish", "--to", join(folder, "lake")],
      ]) {
        const ended = await runToEnd([...command, "--db", join(folder, name)], { cwd: folder });
        expect([command, name, ended.exitCode, said(ended)]).toEqual([
          command,
          name,
          2,
          expect.stringContaining(`${name} is not a file`),
        ]);
      }
    }
  });
});

describe("pipes, sockets and devices among the sessions", () => {
  it.skipIf(!hasPipes())("are left out, the rest is loaded", { timeout }, async () => {
    const folder = tempFolder();
    const tries = trials("pipes, sockets and devices");
    const { root, costUsd } = writeSessions(join(folder, "sessions"), 2);
    spawnSync("mkfifo", [join(root, "pipe.jsonl")]);
    symlinkSync("/dev/zero", join(root, "endless.jsonl"));
    const server = createServer();
    await new Promise<void>((open) => server.listen(join(root, "socket.jsonl"), open));
    const dbPath = join(folder, "w.duckdb");
    const ended = await runToEnd(["ingest", root, "--db", dbPath, "--json"], { cwd: folder });
    await new Promise((closed) => server.close(closed));
    expect(JSON.parse(ended.stdout)).toMatchObject({ files: { seen: 2, loaded: 2, failed: 0 } });
    tries.total(costUsd, await countedCost(dbPath));
  });
});

describe("a config file", () => {
  it.skipIf(user === null)(
    "that cannot be read stops the load, which would go elsewhere without it",
    {
      timeout,
    },
    async () => {
      const folder = tempFolder({ "config/piquet/config.json": '{ "content": "none" }' });
      const { root } = writeSessions(join(folder, "sessions"), 1);
      giveAway(folder);
      chmodSync(join(folder, "config/piquet/config.json"), 0);
      const env = { XDG_CONFIG_HOME: join(folder, "config") };
      const ended = await runToEnd(["ingest", root, "--db", join(folder, "w.duckdb")], {
        cwd: folder,
        env,
        ...user,
      });
      expect([ended.exitCode, said(ended)]).toEqual([
        2,
        expect.stringMatching(/cannot read .*config\.json: EACCES/),
      ]);
      expect(existsSync(join(folder, "w.duckdb"))).toBe(false);
    },
  );

  it("with a NUL in a path is refused, and names itself", { timeout }, async () => {
    const folder = tempFolder({ "config/piquet/config.json": '{ "db": "a\\u0000b" }' });
    const { root } = writeSessions(join(folder, "sessions"), 1);
    const env = { XDG_CONFIG_HOME: join(folder, "config") };
    const ended = await runToEnd(["ingest", root], { cwd: folder, env });
    expect([ended.exitCode, said(ended)]).toEqual([
      2,
      expect.stringMatching(/"db" in .*config\.json: expected a text without NUL/),
    ]);
  });
});

describe("a folder for temporary files", () => {
  it("that is not there is no hindrance to a load, and told by a question", { timeout }, async () => {
    const folder = tempFolder();
    const tries = trials("no folder for temporary files");
    const { root, costUsd } = writeSessions(join(folder, "sessions"), 1);
    const dbPath = join(folder, "w.duckdb");
    const env = { TMPDIR: join(folder, "nowhere") };
    const loaded = await runToEnd(["ingest", root, "--db", dbPath], { cwd: folder, env });
    expect(loaded.exitCode).toBe(0);
    tries.total(costUsd, await countedCost(dbPath));
    const asked = await runToEnd(["sql", "--db", dbPath, "from v1.sessions"], { cwd: folder, env });
    expect([asked.exitCode, said(asked)]).toEqual([
      1,
      expect.stringContaining(`cannot make a folder in ${env.TMPDIR}: ENOENT; set TMPDIR`),
    ]);
  });
});

describe("a clock that goes wrong", () => {
  it("back by years or on by decades changes no number, and the loads keep their order", {
    timeout,
  }, async () => {
    const folder = tempFolder();
    const tries = trials("a clock that goes back or on");
    const { root, costUsd } = writeSessions(join(folder, "sessions"), 2);
    const dbPath = join(folder, "w.duckdb");
    const clock = join(folder, "clock.cjs");
    for (const years of [0, -10, 90, -60]) {
      tries.begin();
      writeFileSync(clock, clockOff(years));
      const env = { NODE_OPTIONS: `--require ${clock}` };
      const ended = await runToEnd(["ingest", root, "--db", dbPath, "--full", "--json"], {
        cwd: folder,
        env,
      });
      expect([years, ended.exitCode, JSON.parse(ended.stdout)]).toEqual([
        years,
        0,
        expect.objectContaining({ status: "succeeded", warnings: [] }),
      ]);
      tries.total(costUsd, await countedCost(dbPath));
    }
    rmSync(clock);
  });
});

function clockOff(years: number): string {
  return `const { Date: Right } = globalThis;
    const now = () => Right.now() + ${years} * 365 * 86400000;
    globalThis.Date = class extends Right {
      constructor(...given) { given.length === 0 ? super(now()) : super(...given); }
      static now() { return now(); }
    };`;
}
