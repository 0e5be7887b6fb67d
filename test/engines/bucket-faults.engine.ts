import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { proofFolder } from "../support/proof-folder.js";
import { type Outcome, runPiquet } from "../support/run-piquet.js";
import { sessionText } from "../support/session-text.js";
import { KEYS } from "./support/bucket.js";
import { openClickHouse } from "./support/clickhouse.js";
import { startS3Server } from "./support/s3-server.js";

const folder = proofFolder();
const clickhouse = openClickHouse();
/** So long that the file of messages goes in several parts. */
const LONG_TEXT = randomBytes(9 * 2 ** 20).toString("base64");
let endpoint: string;

beforeAll(async () => {
  endpoint = await startS3Server(join(folder, "objects"));
  writeFileSync(join(folder, "s.jsonl"), sessionText("aaaa", [exchange("Count the apples")]));
  expect(await piquet(["ingest", folder, "--machine", "desk", "--quiet"])).toMatchObject({ exitCode: 0 });
});

const exchange = (prompt: string) => ({ at: "2026-01-31T10:00:00.000Z", prompt, costUsd: 0.25 });

function piquet(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  return runPiquet(args, { home: folder, env: { ...KEYS, AWS_ENDPOINT_URL: endpoint, ...env } });
}

/** Requests since the last look, as `PUT /lake/…`. */
function requestsSince(start: number): string[] {
  return requests().slice(start);
}

function requests(): string[] {
  return readFileSync(join(folder, "objects.requests"), "utf8").trimEnd().split("\n");
}

describe("a bucket", () => {
  it("is sent nothing when nothing changed, and loses nothing", async () => {
    const publish = (): Promise<Outcome> =>
      piquet(["publish", "--to", "s3://lake/again", "--json", "--quiet"]);
    expect(await publish()).toMatchObject({ exitCode: 0 });
    const start = requests().length;
    expect(await publish()).toMatchObject({ exitCode: 0 });
    const methods = requestsSince(start).map((request) => request.split(" ")[0]);
    process.stderr.write(`second publication: ${methods.join(" ")}\n`);
    expect(methods).toContain("GET");
    expect(methods.filter((method) => method !== "GET" && method !== "HEAD")).toEqual([]);
  });

  it.each([
    ["an unknown key", { AWS_ACCESS_KEY_ID: "AKIAhunter2" }, "InvalidAccessKeyId (HTTP 403)"],
    ["no keys", { AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "" }, "CredentialsProviderError"],
  ])("refuses %s, and no message shows one", async (_what, env, reason) => {
    const noMetadata = { AWS_EC2_METADATA_DISABLED: "true" };
    const args = ["publish", "--to", "s3://lake/x", "--verbose"];
    const { exitCode, stdout, stderr } = await piquet(args, { ...noMetadata, ...env });
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`s3://lake/x: ${reason}`);
    expect(stderr).not.toMatch(/hunter2|S3RVER|AKIA/);
  });

  it("that is missing is told by its name", async () => {
    const { exitCode, stderr } = await piquet(["publish", "--to", "s3://nowhere/x"]);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining("s3://nowhere/x: NoSuchBucket (HTTP 404)"),
    ]);
  });

  it.each([
    ["publish", "--to"],
    ["ddl", "--engine", "clickhouse", "--lake"],
  ])("of an address with credentials is refused by %s", async (...args) => {
    const { exitCode, stderr } = await piquet([...args, "s3://key:hunter2@lake/x"]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("an address holds no user, password")]);
    expect(stderr).not.toContain("hunter2");
  });

  it("whose server has credentials in its address is refused", async () => {
    const env = { AWS_ENDPOINT_URL: endpoint.replace("://", "://key:hunter2@") };
    const { exitCode, stderr } = await piquet(["publish", "--to", "s3://lake/x"], env);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("AWS_ENDPOINT_URL")]);
    expect(stderr).not.toContain("hunter2");
  });

  it.each(["a b/ünï/机器", "it's 100% a+b&c=d"])(
    "holds a lake below the prefix %j that ClickHouse reads",
    async (prefix) => {
      const to = `s3://lake/${prefix}`;
      expect(await piquet(["publish", "--to", to, "--quiet"])).toMatchObject({ exitCode: 0 });
      const { stdout, exitCode } = await piquet(["ddl", "--engine", "clickhouse", "--lake", to]);
      expect(exitCode).toBe(0);
      clickhouse.runAll(stdout);
      expect(clickhouse.value("select sum(cost_usd) from v1.spend_daily")).toBe("0.25");
      const again = await piquet(["publish", "--to", to, "--json", "--quiet"]);
      expect(JSON.parse(again.stdout).files).toMatchObject({ written: 0, removed: 0 });
    },
  );
});

describe("an upload in parts", () => {
  beforeAll(async () => {
    writeFileSync(join(folder, "long.jsonl"), sessionText("bbbb", [exchange(LONG_TEXT)]));
    expect(await piquet(["ingest", folder, "--quiet"])).toMatchObject({ exitCode: 0 });
  });

  const publishArgs = (prefix: string): string[] => [
    "publish",
    ...["--to", `s3://lake/${prefix}`, "--content", "full", "--quiet"],
  ];
  const isGivenUp = (request: string): boolean => /^DELETE .*uploadId=/.test(request);

  it("is given up where a part fails", async () => {
    const start = requests().length;
    const { exitCode, stderr } = await piquet(publishArgs("broken"));
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining("cannot write to s3://lake/broken: InvalidPart"),
    ]);
    expect(requestsSince(start).filter(isGivenUp)).toHaveLength(1);
  });

  it("is given up when the run is told to stop", async () => {
    const start = requests().length;
    const child = spawn(process.execPath, [resolve("dist/pipeline/cli.js"), ...publishArgs("slow")], {
      cwd: folder,
      env: { PATH: process.env["PATH"], HOME: folder, ...KEYS, AWS_ENDPOINT_URL: endpoint },
    });
    const closed = new Promise<unknown>((done) => child.on("close", done));
    await expect.poll(() => requestsSince(start).join("\n"), { timeout: 30_000 }).toContain("partNumber=2");
    child.kill("SIGTERM");
    expect(await closed).toBe(1);
    expect(requestsSince(start).filter(isGivenUp)).not.toEqual([]);
    expect(
      requestsSince(start).filter((line) => line.includes("manifest/desk.json") && line.startsWith("PUT")),
    ).toEqual([]);
  });
});
