import { type ChildProcess, spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { load, snapshot } from "../support/proof-warehouse.js";
import { difference, openWorld, type ProofWorld } from "../support/proof-world.js";
import { runPiquet } from "../support/run-piquet.js";
import { header, jsonl, reply, session, toolResult } from "../support/world-sessions.js";

/** The sizes of the cases' author; by default smaller ones of the same shape. */
const isFull = process.env["PIQUET_TEST_FULL_SIZES"] !== undefined;
if (!isFull) console.info("smaller sizes: PIQUET_TEST_FULL_SIZES is not set");

const MIB = 2 ** 20;
const NOBODY = 65534;

function write(world: ProofWorld, path: string, text: string): void {
  const target = join(world.sessions, path);
  mkdirSync(join(target, ".."), { recursive: true });
  writeFileSync(target, text);
}

/** Loads in a process of its own; gives its report and the most memory it had, in bytes. */
async function measuredLoad(world: ProofWorld): Promise<{ report: unknown; peakBytes: number }> {
  const args = [resolve("dist/pipeline/cli.js"), "ingest", world.sessions, "--db", world.dbPath, "--json"];
  const child = spawn(process.execPath, args, { env: { ...process.env, HOME: world.folder, TZ: "UTC" } });
  let stdout = "";
  let peakBytes = 0;
  child.stdout.on("data", (part: Buffer) => (stdout += part.toString()));
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakOf(child));
  }, 50);
  await new Promise((done) => child.on("close", done));
  clearInterval(timer);
  return { report: JSON.parse(stdout), peakBytes };
}

/** The system keeps the peak, so the last look before the end is enough; 0 where it does not tell. */
function peakOf(child: ChildProcess): number {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

describe("sizes", () => {
  it("a line of 100 MiB loads in less than 1 GiB of memory", { timeout: 120_000 }, async () => {
    const world = openWorld();
    const result = toolResult("a0000001", null, 1, "t1", { content: [{ type: "text", text: "@" }] });
    const [before = "", after = ""] = JSON.stringify(result).split("@");
    write(world, "a.jsonl", jsonl([header("s0000001", 0)]) + before);
    for (let n = 0; n < 100; n++) appendFileSync(join(world.sessions, "a.jsonl"), "A".repeat(MIB));
    appendFileSync(join(world.sessions, "a.jsonl"), `${after}\n${jsonl([reply("a0000002", "a0000001", 5)])}`);
    const { report, peakBytes } = await measuredLoad(world);
    expect(report).toMatchObject({ status: "succeeded", rejects: 0, rows: { entries: 2 } });
    expect(await world.cost()).toBe("0.01");
    expect(peakBytes).toBeLessThan(1024 * MIB);
  });

  it("a file longer than the longest text loads whole", { timeout: 300_000 }, async () => {
    const world = openWorld();
    const lineCount = isFull ? 700 : 20;
    const every = isFull ? 100 : 4;
    write(world, "a.jsonl", jsonl([header("s0000001", 0)]));
    let replyCount = 0;
    for (let n = 1; n <= lineCount; n++) {
      const text = [{ type: "text", text: "A".repeat(MIB) }];
      const lines = [toolResult(`a${n}`, null, n * 10, `t${n}`, { content: text })];
      if (n % every === 0) lines.push(reply(`b${n}`, `a${n}`, n * 10 + 5));
      if (n % every === 0) replyCount += 1;
      appendFileSync(join(world.sessions, "a.jsonl"), jsonl(lines));
    }
    const { report } = await measuredLoad(world);
    expect(report).toMatchObject({
      status: "succeeded",
      rejects: 0,
      rows: { entries: lineCount + replyCount },
    });
    expect(await world.cost()).toBe(String(replyCount / 100));
  });

  it("many files load, and are not read again when none changed", { timeout: 600_000 }, async () => {
    const world = openWorld();
    const fileCount = isFull ? 20_000 : 600;
    for (let n = 0; n < fileCount; n++) {
      write(world, `p${n % (fileCount / 40)}/${n}.jsonl`, jsonl(session(`s${n}`, n, 0.01, 0.01, 0.01, 0.01)));
    }
    const first = await load(world.dbPath, [world.sessions], { jobs: 2 });
    expect(first.files).toMatchObject({ seen: fileCount, loaded: fileCount });
    expect(await world.cost()).toBe(String(fileCount / 25));
    const second = await load(world.dbPath, [world.sessions], { jobs: 1 });
    expect(second).toMatchObject({ bytes_read: 0, files: { unchanged: fileCount, loaded: 0 } });
  });
});

describe("places that cannot be read", () => {
  it("are warnings; the rest loads, and links to it count nothing twice", async (context) => {
    const isRoot = process.getuid?.() === 0;
    const world = openWorld();
    world.write({
      "p/a.jsonl": session("s0000001", 0, 0.01, 0.02),
      "p/b.jsonl": session("s0000002", 9, 0.04),
      "p/secret.jsonl": session("s0000003", 9, 0.5),
      "closed/c.jsonl": session("s0000004", 9, 0.5),
    });
    symlinkSync(world.sessions, join(world.sessions, "again"));
    symlinkSync("loop", join(world.sessions, "loop"));
    chmodSync(join(world.sessions, "p/secret.jsonl"), 0);
    chmodSync(join(world.sessions, "closed"), 0);
    if (isRoot) chownSync(world.folder, NOBODY, NOBODY);
    const run = await runAs(isRoot ? NOBODY : null, world);
    // Root reads what nobody may; where another user can't run the program there is nothing to see.
    if (run.stdout === "") return context.skip("no user who may not read these files can run the program");
    chmodSync(join(world.sessions, "closed"), 0o700);
    const report = JSON.parse(run.stdout);
    expect([run.exitCode, report.files.loaded, report.files.failed >= 2]).toEqual([0, 2, true]);
    expect(report.warnings.join("\n")).toMatch(/secret\.jsonl[\s\S]*/);
    expect(report.warnings.join("\n")).toMatch(/closed/);
    expect(await world.cost()).toBe("0.07");
  });
});

function runAs(
  uid: number | null,
  world: ProofWorld,
): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const args = [
    resolve("dist/pipeline/cli.js"),
    "ingest",
    world.sessions,
    "--db",
    world.dbPath,
    "--json",
    "--quiet",
  ];
  const child = spawn(process.execPath, args, {
    cwd: "/",
    env: { PATH: process.env["PATH"], HOME: world.folder, TZ: "UTC" },
    ...(uid !== null && { uid, gid: uid }),
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (part: Buffer) => (stdout += part.toString()));
  child.stderr.on("data", (part: Buffer) => (stderr += part.toString()));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (exitCode) => done({ exitCode, stdout, stderr }));
  });
}

describe("a warehouse that another process holds", () => {
  it("is left as it is; the message names the file and the process", async () => {
    const world = openWorld();
    world.write({ "a.jsonl": session("s0000001", 0, 0.01) });
    await world.load();
    const before = await snapshot(world.dbPath);
    const script = `const { DuckDBInstance } = await import("@duckdb/node-api");
      await (await DuckDBInstance.create(process.argv[1])).connect();
      console.log("open");
      setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ["--input-type=module", "-e", script, world.dbPath]);
    await new Promise((done) => holder.stdout.once("data", done));
    world.write({ "b.jsonl": session("s0000002", 0, 0.02) });
    const args = ["ingest", world.sessions, "--db", world.dbPath];
    const run = await runPiquet(args, { home: world.folder });
    holder.kill();
    await new Promise((done) => holder.on("close", done));
    expect(run.exitCode).toBe(5);
    expect(run.stderr).toContain(world.dbPath);
    expect(run.stderr).toContain(String(holder.pid));
    expect(difference(before, await snapshot(world.dbPath))).toBe("the same tables");
  });
});
