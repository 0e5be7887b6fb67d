import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Manifest } from "../../pipeline/publish/manifest.js";
import type { PublishReport } from "../../pipeline/publish/publish.js";
import { type Outcome, runPiquet } from "../support/run-piquet.js";
import { sessionText } from "../support/session-text.js";
import { tempFolder } from "../support/temp-folder.js";
import { download, listObjects, type S3Server, type StoredObject, startS3 } from "./support/s3-server.js";

/** The part of `test/engines` that is used here, where `make test-engines` has installed it. */
interface ClickHouse {
  runAll(sql: string): void;
  value(sql: string): string;
}

const problem = inject("containerProblem");
const clickhouse = problem === "" ? await openClickHouse() : null;

async function openClickHouse(): Promise<ClickHouse | null> {
  if (existsSync("test/engines/node_modules/chdb")) {
    // By a path that the compiler does not follow: a plain install has no such package.
    const engines: { openClickHouse(): ClickHouse } = await import(
      resolve("test/engines/support/clickhouse.ts")
    );
    return engines.openClickHouse();
  }
  process.stderr.write("ClickHouse is not asked: `make test-engines` installs it\n");
  return null;
}

const SPEND = "select * from v1.spend_daily order by all";
const MANIFEST = "manifest/ada-laptop.json";

/** A home with the sample loaded into a warehouse. */
async function homeOfAda(): Promise<string> {
  const home = tempFolder();
  cpSync("examples/sessions", join(home, "sessions"), { recursive: true });
  await ingest(home);
  return home;
}

async function ingest(home: string): Promise<void> {
  const args = ["ingest", "--machine", "ada-laptop", "--quiet", "sessions"];
  expect(await runPiquet(args, { home })).toMatchObject({ exitCode: 0, stderr: "" });
}

async function rowsOf(home: string, source: readonly string[]): Promise<string> {
  const answer = await runPiquet(["sql", ...source, "--format", "jsonl", SPEND], { home });
  expect([answer.exitCode, answer.stderr]).toEqual([0, ""]);
  return answer.stdout;
}

describe.skipIf(problem !== "")("publish to a bucket", () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3();
  });
  afterAll(() => server?.stop());

  function publish(home: string, to: string, env = server.env): Promise<Outcome> {
    return runPiquet(["publish", "--to", to, "--json", "--quiet"], { home, env });
  }

  async function published(home: string, to: string): Promise<PublishReport> {
    const outcome = await publish(home, to);
    expect([outcome.exitCode, outcome.stderr]).toEqual([0, ""]);
    return JSON.parse(outcome.stdout);
  }

  /** What lies below a prefix of the bucket, by its path in the lake. */
  async function lakeAt(prefix: string): Promise<Map<string, StoredObject>> {
    const objects = [...(await listObjects(server))].filter(([key]) => key.startsWith(prefix));
    return new Map(objects.map(([key, object]) => [key.slice(prefix.length), object]));
  }

  async function manifestAt(prefix: string): Promise<Manifest> {
    const folder = tempFolder();
    await download(server, prefix, folder);
    return JSON.parse(readFileSync(join(folder, MANIFEST), "utf8"));
  }

  /** Parquet files as a manifest or a listing names them. */
  function filesOf(objects: ReadonlyMap<string, StoredObject>): object {
    const files = [...objects].filter(([path]) => path.endsWith(".parquet"));
    return Object.fromEntries(files.map(([path, { bytes, sha256 }]) => [path, { bytes, sha256 }]));
  }

  it("puts every file of the manifest there, with the same rows", async () => {
    const home = await homeOfAda();
    const { files } = await published(home, "s3://lake/first");
    const manifest = await manifestAt("first/");
    const named = manifest.files.map(({ path, bytes, sha256 }) => [path, { bytes, sha256 }]);
    expect(Object.fromEntries(named)).toEqual(filesOf(await lakeAt("first/")));
    expect(files).toEqual({ total: named.length, written: named.length, unchanged: 0, removed: 0 });

    await download(server, "first/", join(home, "copy"));
    expect(await rowsOf(home, ["--parquet", "copy"])).toBe(await rowsOf(home, []));
  });

  it("uploads nothing when nothing changed", async () => {
    const home = await homeOfAda();
    const first = await published(home, "s3://lake/again");
    const before = await lakeAt("again/");
    const second = await published(home, "s3://lake/again");
    expect(second.files).toEqual({ ...first.files, written: 0, unchanged: first.files.total });
    expect(await lakeAt("again/")).toEqual(before);
  });

  it("uploads the months that changed and removes what they replace", async () => {
    const home = await homeOfAda();
    await published(home, "s3://lake/more");
    const before = await lakeAt("more/");
    const exchange = { at: "2026-03-02T09:00:00.000Z", prompt: "add a test", costUsd: 0.25 };
    mkdirSync(join(home, "sessions/new"));
    writeFileSync(join(home, "sessions/new/b.jsonl"), sessionText("b0", [exchange]));
    await ingest(home);
    const { files } = await published(home, "s3://lake/more");

    const after = await lakeAt("more/");
    const named = (await manifestAt("more/")).files.map(({ path }) => path);
    expect(Object.keys(filesOf(after)).sort()).toEqual(named.sort());
    expect([...after.keys()].filter((path) => path.includes("month=2026-03")).length).toBeGreaterThan(0);
    const kept = [...before.keys()].filter((path) => path.startsWith("base/entries/month=2026-01"));
    expect(kept.map((path) => after.get(path))).toEqual(kept.map((path) => before.get(path)));
    expect(files.removed).toBeGreaterThan(0);
    await download(server, "more/", join(home, "copy"));
    expect(await rowsOf(home, ["--parquet", "copy"])).toBe(await rowsOf(home, []));
  });

  it.skipIf(clickhouse === null)("gives ClickHouse the same totals over the network", async () => {
    const home = await homeOfAda();
    await published(home, "s3://lake/clickhouse");
    const args = ["ddl", "--engine", "clickhouse", "--lake", "s3://lake/clickhouse"];
    const { exitCode, stdout, stderr } = await runPiquet(args, { home, env: server.env });
    expect([exitCode, stderr]).toEqual([0, ""]);
    clickhouse?.runAll(stdout);
    const sums = "select sum(cost_usd) as cost_usd, count(*) as row_count from v1.spend_daily";
    expect(clickhouse?.value(sums).split("\t").map(Number)).toEqual([0.15315, 4]);
    const usage = "select count(*) as row_count from base.usage where is_counted";
    const counted = await runPiquet(["sql", "--format", "csv", usage], { home });
    expect(clickhouse?.value(usage)).toBe(counted.stdout.trim().split("\n")[1]);
  });

  it("fails without a word of the credentials where there is no such bucket", async () => {
    const home = await homeOfAda();
    const env = { ...server.env, AWS_SECRET_ACCESS_KEY: "not-to-be-seen" };
    const { exitCode, stdout, stderr } = await publish(home, "s3://elsewhere/pi", env);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("s3://elsewhere");
    expect(stderr).not.toContain("not-to-be-seen");
  });
});
