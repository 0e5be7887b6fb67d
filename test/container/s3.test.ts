import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Manifest } from "../../pipeline/publish/manifest.js";
import type { PublishReport } from "../../pipeline/publish/publish.js";
import { type Outcome, runPiquet } from "../support/run-piquet.js";
import { sessionText } from "../support/session-text.js";
import { tempFolder } from "../support/temp-folder.js";
import { giveToContainer, runPiquet as runInContainer } from "./support/piquet-container.js";
import { download, listObjects, type S3Server, type StoredObject, startS3 } from "./support/s3-server.js";

const problem = inject("containerProblem");

const SPEND = "select * from v1.spend_daily order by all";
const PART_BYTES = 8 * 2 ** 20;
const numbersTo = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index + 1}`);
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

  function publish(home: string, to: string, env = server.env, content = "none"): Promise<Outcome> {
    return runPiquet(["publish", "--to", to, "--content", content, "--json", "--quiet"], { home, env });
  }

  async function published(home: string, to: string, content = "none"): Promise<PublishReport> {
    const outcome = await publish(home, to, server.env, content);
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

  it("uploads a large file in parts", async () => {
    const home = tempFolder();
    const exchanges = Array.from({ length: 32 }, (_, minute) => ({
      at: new Date(Date.UTC(2026, 1, 1, 9, minute)).toISOString(),
      prompt: randomBytes(256 * 2 ** 10).toString("base64"),
      costUsd: 0.001,
    }));
    mkdirSync(join(home, "sessions"));
    writeFileSync(join(home, "sessions/b.jsonl"), sessionText("b0", exchanges));
    await ingest(home);
    await published(home, "s3://lake/large", "full");

    const objects = await lakeAt("large/");
    const [[path, { bytes }] = ["", { bytes: 0 }]] = [...objects].sort(([, a], [, b]) => b.bytes - a.bytes);
    const parts = Math.ceil(bytes / PART_BYTES);
    expect(parts).toBeGreaterThan(1);
    const sent = (): string[] =>
      server.log
        .filter((line) => decodeURIComponent(line).includes(`large/${path}?`))
        .flatMap((line) => /[?&]partNumber=(\d+)/.exec(line)?.[1] ?? [])
        .sort();
    await expect.poll(sent, { timeout: 10_000 }).toEqual(numbersTo(parts));
    const { files } = await manifestAt("large/");
    expect(Object.fromEntries(files.map(({ path, bytes, sha256 }) => [path, { bytes, sha256 }]))).toEqual(
      filesOf(objects),
    );
  });

  it("is published to by the image", async () => {
    const home = tempFolder();
    const mounts = { sessions: join(home, "sessions"), data: join(home, "data") };
    cpSync("examples/sessions", mounts.sessions, { recursive: true });
    mkdirSync(mounts.data, { mode: 0o700 });
    giveToContainer(home);
    const ingest = await runInContainer(["ingest", "--quiet"], mounts);
    expect([ingest.exitCode, ingest.stderr]).toEqual([0, ""]);
    const place = { data: mounts.data, ...server.inside };
    const publish = await runInContainer(["publish", "--to", "s3://lake/image", "--json", "--quiet"], place);
    expect([publish.exitCode, publish.stderr]).toEqual([0, ""]);
    expect((await manifestAt("image/")).files.length).toBe(JSON.parse(publish.stdout).files.total);

    await download(server, "image/", join(home, "copy"));
    const outside = await homeOfAda();
    expect(await rowsOf(home, ["--parquet", "copy"])).toBe(await rowsOf(outside, []));
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
