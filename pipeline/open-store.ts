import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { PipelineError } from "./errors.js";
import type { LakeAddress } from "./lake-ddl.js";
import { folderStore } from "./publish/folder-store.js";
import type { LakeStore } from "./publish/store.js";
import { readTarget, type Target } from "./publish/target.js";
import { readPath, readText, type Settings, type World } from "./settings.js";

export interface OpenStore {
  readonly store: LakeStore;
  /** Where other engines find it. */
  readonly address: () => Promise<LakeAddress>;
}

/**
 * Opens the lake that a setting names, a folder or `s3://bucket/prefix`; the signal ends uploads under way.
 * Throws `USAGE` for another address.
 */
export async function openStore(
  settings: Settings,
  name: string,
  world: World,
  signal: AbortSignal,
): Promise<OpenStore> {
  const text = readText(settings, name);
  if (text === null)
    throw new PipelineError("USAGE", `--${name} is missing: a folder, or s3://bucket/prefix`);
  const target = readTarget(text);
  if ("problem" in target) throw new PipelineError("USAGE", `--${name}: ${target.problem}`);
  return target.kind === "bucket"
    ? openBucket(target, world, signal)
    : openFolder(readPath(settings, name, world) ?? world.workDir);
}

function openFolder(folder: string): OpenStore {
  const address = `${folder}/`;
  return {
    store: folderStore(folder),
    address: async () => ({ kind: "file", clickhouse: address, duckdb: address }),
  };
}

async function openBucket(
  { bucket, prefix }: Extract<Target, { kind: "bucket" }>,
  { env, tempDir }: World,
  signal: AbortSignal,
): Promise<OpenStore> {
  const endpoint = env["AWS_ENDPOINT_URL_S3"] || env["AWS_ENDPOINT_URL"] || null;
  if (endpoint !== null && !isPlainAddress(endpoint)) {
    throw new PipelineError("USAGE", "AWS_ENDPOINT_URL: expected http(s)://host, without user or password");
  }
  const hasRegion = Boolean(env["AWS_REGION"] || env["AWS_DEFAULT_REGION"]);
  const { s3Store } = await import("./publish/s3-store.js");
  const store = s3Store({
    bucket,
    prefix,
    endpoint,
    defaultRegion: endpoint !== null && !hasRegion ? "us-east-1" : (env["AWS_DEFAULT_REGION"] ?? null),
    draftFolder: mkdtempSync(join(tempDir, "piquet-upload-")),
    signal,
  });
  return {
    store,
    address: async () => ({
      kind: "s3",
      clickhouse: await store.httpAddress(),
      duckdb: `s3://${bucket}/${prefix}`,
    }),
  };
}

function isPlainAddress(text: string): boolean {
  return /^https?:\/\/[^@?#\s]+$/i.test(text);
}
