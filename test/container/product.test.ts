import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getContainerRuntimeClient } from "testcontainers";
import { describe, expect, inject, it } from "vitest";
import { type Outcome, runPiquet as runOutside } from "../support/run-piquet.js";
import { sessionText } from "../support/session-text.js";
import { tempFolder } from "../support/temp-folder.js";
import { testDataFolder } from "../support/test-data.js";
import {
  giveToContainer,
  IMAGE_UID,
  type Place,
  productImage,
  runPiquet,
  startPiquet,
} from "./support/piquet-container.js";

const problem = inject("containerProblem");
const data = testDataFolder();

const SPEND = `select spent_on, machine, project_path, model_id, source, request_count, cost_usd
  from v1.spend_daily order by all`;
const TOTALS = `select (select count(*) from base.sessions) as sessions,
  (select count(*) from base.entries where is_present) as entries,
  (select sum(cost_usd)::decimal(18, 9) from base.usage where is_counted) as cost_usd`;

/** Folders of a user who keeps the given sessions. */
function foldersWith(sessions: string): Required<Pick<Place, "sessions" | "data">> {
  const folder = tempFolder();
  const mounts = { sessions: join(folder, "sessions"), data: join(folder, "data") };
  cpSync(sessions, mounts.sessions, { recursive: true });
  mkdirSync(mounts.data, { mode: 0o700 });
  giveToContainer(folder);
  return mounts;
}

function warehouseIn(folder: string): string {
  return join(folder, "piquet/warehouse.duckdb");
}

/** Rows that a piquet on this machine finds in a warehouse that the one in the container wrote. */
async function readOutside(folder: string, sql: string): Promise<unknown[]> {
  const args = ["sql", "--db", warehouseIn(folder), "--format", "jsonl", sql];
  return linesOf(await runOutside(args, { home: folder }));
}

function linesOf({ exitCode, stdout, stderr }: Outcome): unknown[] {
  expect([exitCode, stderr]).toEqual([0, ""]);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** The same sessions, loaded by a piquet on this machine. */
async function loadedOutside(sessions: string, sql: string): Promise<unknown[]> {
  const home = tempFolder();
  const ingest = ["ingest", "--machine", "ada-laptop", sessions];
  expect(await runOutside(ingest, { home })).toMatchObject({ exitCode: 0 });
  return linesOf(await runOutside(["sql", "--format", "jsonl", sql], { home }));
}

describe.skipIf(problem !== "")("the image", () => {
  it("loads mounted sessions into /data as a user without rights", async () => {
    const mounts = foldersWith("examples/sessions");
    const { exitCode, stdout, stderr } = await runPiquet(["ingest", "--json", "--quiet"], mounts);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({
      status: "succeeded",
      files: { seen: 4, loaded: 4, skipped: 0, failed: 0 },
      rows: { sessions: 4, entries: 36 },
      copies: 9,
    });
    expect(await readOutside(mounts.data, TOTALS)).toEqual([{ sessions: 4, entries: 36, cost_usd: 0.15315 }]);
    expect(await readOutside(mounts.data, SPEND)).toEqual(await loadedOutside(mounts.sessions, SPEND));
    const owner = process.getuid?.() === 0 ? IMAGE_UID : process.getuid?.();
    expect(statSync(warehouseIn(mounts.data)).uid).toBe(owner);
  });

  it("reads on the second run only what changed, and answers questions", async () => {
    const mounts = foldersWith("examples/sessions");
    await runPiquet(["ingest"], mounts);
    const second = await runPiquet(["ingest", "--json", "--quiet"], mounts);
    expect(JSON.parse(second.stdout)).toMatchObject({ files: { loaded: 0, unchanged: 4 }, rows: {} });
    const sql = await runPiquet(["sql", "--format", "jsonl", TOTALS], { data: mounts.data });
    expect(linesOf(sql)).toEqual([{ sessions: 4, entries: 36, cost_usd: 0.15315 }]);
    const check = await runPiquet(["check"], { data: mounts.data });
    expect([check.exitCode, check.stderr]).toEqual([0, ""]);
  });

  it("publishes Parquet into /data that is read outside", async () => {
    const mounts = foldersWith("examples/sessions");
    const ingest = await runPiquet(["ingest", "--parquet", "lake", "--quiet"], mounts);
    expect([ingest.exitCode, ingest.stderr]).toEqual([0, ""]);
    const args = ["sql", "--parquet", join(mounts.data, "lake"), "--format", "jsonl", SPEND];
    const rows = linesOf(await runOutside(args, { home: mounts.data }));
    expect(rows).toEqual(await loadedOutside(mounts.sessions, SPEND));
  });

  it("publishes a warehouse into /data that another container asks", async () => {
    const mounts = foldersWith("examples/sessions");
    await runPiquet(["ingest"], mounts);
    const publish = await runPiquet(["publish", "--to", "lake", "--quiet"], { data: mounts.data });
    expect([publish.exitCode, publish.stderr]).toEqual([0, ""]);
    const ask = await runPiquet(["sql", "--parquet", "lake", "--format", "jsonl", SPEND], {
      data: mounts.data,
    });
    expect(linesOf(ask)).toEqual(await readOutside(mounts.data, SPEND));
  });

  it("cannot write to the sessions, not even as root", async () => {
    const mounts = foldersWith("examples/sessions");
    const touch = { ...mounts, program: "touch" };
    for (const user of [undefined, "0:0"]) {
      const { exitCode, stderr } = await runPiquet(["/sessions/new.jsonl"], {
        ...touch,
        ...(user !== undefined && { user }),
      });
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining("Read-only file system")]);
    }
  });

  it("says where it looked when no sessions are mounted", async () => {
    const { exitCode, stderr } = await runPiquet(["ingest"], { data: foldersWith("examples/sessions").data });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("/sessions");
  });

  it("keeps what it had when it is told to stop", async () => {
    const mounts = foldersWith("examples/sessions");
    await runPiquet(["ingest"], mounts);
    const long = Array.from({ length: 25_000 }, (_, index) => ({
      at: new Date(Date.parse("2026-02-01T09:00:00.000Z") + index * 1_000).toISOString(),
      prompt: "go on ".repeat(40),
      costUsd: 0.001,
    }));
    writeFileSync(join(mounts.sessions, "long.jsonl"), sessionText("b0", long));
    giveToContainer(mounts.sessions);

    const running = await startPiquet(["ingest"], mounts);
    running.stderr.on("data", (line: Buffer) => {
      if (line.includes("planned")) void running.signal("SIGTERM");
    });
    const stopped = await running.outcome;
    expect([stopped.exitCode, stopped.stderr]).toEqual([1, expect.stringContaining("ABORTED")]);
    expect(await readOutside(mounts.data, TOTALS)).toEqual([{ sessions: 4, entries: 36, cost_usd: 0.15315 }]);

    const again = await runPiquet(["ingest", "--json", "--quiet"], mounts);
    expect(JSON.parse(again.stdout)).toMatchObject({ files: { loaded: 1, unchanged: 4 } });
    expect(await readOutside(mounts.data, TOTALS)).toEqual([
      { sessions: 5, entries: 50_036, cost_usd: 25.15315 },
    ]);
  });

  it("runs as a user that is not root and holds no package of development", async () => {
    const mounts = foldersWith("examples/sessions");
    const { container: engine } = await getContainerRuntimeClient();
    const { Config: config } = await engine.dockerode.getImage(productImage()).inspect();
    expect(config).toMatchObject({ User: "1000:1000", Entrypoint: ["piquet"] });
    const listing = await runPiquet(["/app", "/app/node_modules"], { ...mounts, program: "ls" });
    const names = listing.stdout.split("\n");
    expect(names).toEqual(expect.arrayContaining(["dist", "sql", "apache-arrow"]));
    expect(names.filter((name) => ["pipeline", "test", "typescript", "vitest"].includes(name))).toEqual([]);
  });
});

describe.skipIf(problem !== "" || data === null)("the image, on cases with known answers", () => {
  it.each([
    "01-fork-copies-history",
    "03-subagent-in-parent-and-own-file",
    "10-reasoning-and-1h-cache-are-subsets",
  ])("%s", async (name) => {
    const folder = join(data ?? "", "cases", name);
    const { cost_usd } = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8"));
    const mounts = foldersWith(join(folder, "sessions"));
    const { exitCode } = await runPiquet(["ingest", "--quiet"], mounts);
    const [row] = await readOutside(mounts.data, TOTALS);
    expect([exitCode, row]).toMatchObject([0, { cost_usd: Number(cost_usd) }]);
  });
});
