import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { s3Store } from "../../pipeline/publish/s3-store.js";
import { proofFolder } from "../support/proof-folder.js";
import { type Outcome, runPiquet } from "../support/run-piquet.js";
import { tempFolder } from "../support/temp-folder.js";
import { filesBelow } from "../support/world-folder.js";
import { KEYS } from "./support/bucket.js";
import { openClickHouse } from "./support/clickhouse.js";
import { startS3Server } from "./support/s3-server.js";

const OBJECT = "._S3rver_object";
const folder = proofFolder();
const clickhouse = openClickHouse();
const objects = join(folder, "objects", "lake");

let endpoint: string;

beforeAll(async () => {
  endpoint = await startS3Server(join(folder, "objects"));
  await piquet(["ingest", resolve("examples/sessions"), "--machine", "desk", "--quiet"]);
});

function piquet(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  return runPiquet(args, { home: folder, env: { ...KEYS, AWS_ENDPOINT_URL: endpoint, ...env } });
}

async function publish(): Promise<{ files: { written: number; removed: number } }> {
  const { stdout } = await piquet(["publish", "--to", "s3://lake/team/pi", "--json", "--quiet"]);
  return JSON.parse(stdout);
}

/** Names of the objects in the bucket; the server keeps files of its own beside each. */
function keys(): string[] {
  return filesBelow(objects)
    .filter((path) => path.endsWith(OBJECT))
    .map((path) => path.slice(0, -OBJECT.length));
}

const writtenAt = (): string[] =>
  keys().map((key) => readFileSync(join(objects, `${key}._S3rver_metadata.json`), "utf8"));

describe("a lake in a bucket", () => {
  it("holds the files that a folder would, each below the prefix", async () => {
    const inBucket = await publish();
    const local = await piquet(["publish", "--to", "local", "--json", "--quiet"]);
    expect(inBucket.files).toEqual(JSON.parse(local.stdout).files);
    expect(keys()).toEqual(filesBelow(join(folder, "local")).map((path) => `team/pi/${path}`));
  });

  it("is left as it is when nothing changed", async () => {
    const before = writtenAt();
    expect((await publish()).files).toMatchObject({ written: 0, removed: 0 });
    expect(writtenAt()).toEqual(before);
  });

  it("loses the files that a run replaced", async () => {
    await piquet(["ingest", resolve("examples/sessions"), "--full", "--quiet"]);
    const { written, removed } = (await publish()).files;
    expect(written).toBeGreaterThan(0);
    expect(removed).toBe(written);
    const manifest = JSON.parse(readFileSync(join(objects, `team/pi/manifest/desk.json${OBJECT}`), "utf8"));
    const named = manifest.files.map((file: { readonly path: string }) => `team/pi/${file.path}`);
    expect(keys().filter((key) => key.endsWith(".parquet"))).toEqual(named.toSorted());
  });

  it("is read by ClickHouse over the network", async () => {
    const { stdout } = await piquet(["ddl", "--engine", "clickhouse", "--lake", "s3://lake/team/pi"]);
    clickhouse.runAll(stdout);
    const question = "select sum(cost_usd) as total, count(*) as days from v1.spend_daily";
    const { stdout: expected } = await piquet(["sql", question, "--format", "csv"]);
    const [total, days] = clickhouse.value(question).split("\t").map(Number);
    expect([total, days]).toEqual(expected.trim().split("\n")[1]?.split(",").map(Number));
  });

  it("takes a file of several parts whole", async () => {
    Object.assign(process.env, KEYS);
    const store = s3Store({
      bucket: "lake",
      prefix: "parts/",
      endpoint,
      defaultRegion: "us-east-1",
      draftFolder: tempFolder(),
    });
    const bytes = randomBytes(20 * 2 ** 20);
    const draft = store.draftPath("base/a.parquet");
    writeFileSync(draft, bytes);
    await store.finish("base/a.parquet", draft);
    expect(await store.list("base/")).toEqual(new Map([["base/a.parquet", bytes.length]]));
    expect(readFileSync(join(objects, `parts/base/a.parquet${OBJECT}`)).equals(bytes)).toBe(true);
    store.close();
  });

  it("that does not exist ends the run without a word of the keys", async () => {
    const { exitCode, stderr } = await piquet(["publish", "--to", "s3://nowhere/x"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("s3://nowhere/x: NoSuchBucket (HTTP 404)");
    expect(stderr).not.toContain("S3RVER");
  });
});
