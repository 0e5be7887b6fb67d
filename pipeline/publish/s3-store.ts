import { createReadStream, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { PipelineError } from "../errors.js";
import type { LakeStore } from "./store.js";

export interface BucketOptions {
  readonly bucket: string;
  /** Empty, or ending in a slash. */
  readonly prefix: string;
  /** Address of a server that is not AWS's; null for AWS. */
  readonly endpoint: string | null;
  /** Region where the environment names none, for servers that do not care. */
  readonly defaultRegion: string | null;
  /** Folder of this run alone, for files on their way. */
  readonly draftFolder: string;
  /** Ends requests under way; an upload in parts is given up. */
  readonly signal?: AbortSignal;
}

const PART_BYTES = 8 * 2 ** 20;
const PARTS_AT_ONCE = 2;
/** How long a server may take to remove the parts of an upload that was given up. */
const GIVE_UP_MS = 10_000;

export interface BucketStore extends LakeStore {
  /** Address of the prefix for engines that read by HTTP; ends in a slash. */
  httpAddress(): Promise<string>;
}

/**
 * A lake in a bucket of any server that speaks S3. Objects appear whole by themselves. Credentials are the
 * SDK's business; what it says of a failure is cut to the name of the error, for it may quote them.
 */
export function s3Store(options: BucketOptions): BucketStore {
  const { bucket: Bucket, prefix, endpoint, draftFolder } = options;
  const client = new S3Client({
    ...(endpoint !== null && {
      endpoint,
      forcePathStyle: true,
      // Other servers know fewer kinds of checksums.
      requestChecksumCalculation: "WHEN_REQUIRED" as const,
      responseChecksumValidation: "WHEN_REQUIRED" as const,
    }),
    ...(options.defaultRegion !== null && { region: options.defaultRegion }),
  });
  if (options.signal !== undefined) endRequestsOn(options.signal, client);
  const place = `s3://${Bucket}/${prefix}`.replace(/\/$/, "");
  const at = (path: string) => ({ Bucket, Key: prefix + path });
  const saying = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      throw new PipelineError("FAILED", `cannot ${what} ${place}: ${errorName(cause)}`, { cause });
    }
  };
  const put = async (path: string, body: string | Readable): Promise<void> => {
    const upload = new Upload({
      client,
      params: { ...at(path), Body: body, ContentType: contentType(path) },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
      leavePartsOnError: true,
    });
    try {
      await upload.done();
    } catch (error) {
      if (upload.uploadId !== undefined) {
        // What went wrong first is to be told; some servers can't give up an upload at all.
        const parts = { ...at(path), UploadId: upload.uploadId };
        const abortSignal = AbortSignal.timeout(GIVE_UP_MS);
        await client.send(new AbortMultipartUploadCommand(parts), { abortSignal }).catch(() => undefined);
      }
      throw error;
    }
  };
  return {
    place,
    list: (folder) => saying("list", () => listObjects(client, Bucket, prefix, folder)),
    readText: (path) => saying("read", () => readObject(client, at(path))),
    writeText: (path, text) => saying("write to", () => put(path, text)),
    draftPath: (path) => join(draftFolder, path.replaceAll("/", "~")),
    finish: (path, draftPath) =>
      saying("write to", async () => {
        await put(path, createReadStream(draftPath));
        await rm(draftPath);
      }),
    remove: (paths) =>
      saying("remove files of", async () => {
        for (const path of paths) await client.send(new DeleteObjectCommand(at(path)));
      }),
    httpAddress: async () => `${await baseAddress(client, Bucket, endpoint)}/${encodeURI(prefix)}`,
    close: () => {
      client.destroy();
      rmSync(draftFolder, { recursive: true, force: true });
    },
  };
}

/**
 * Ends requests under way that have no signal of their own. An upload in parts hands none to the requests of
 * its parts, so one that a server never answers would keep the process alive.
 */
function endRequestsOn(signal: AbortSignal, client: S3Client): void {
  const { requestHandler } = client.config;
  const handle = requestHandler.handle.bind(requestHandler);
  requestHandler.handle = (request, more) => handle(request, { abortSignal: signal, ...more });
}

async function listObjects(
  client: S3Client,
  Bucket: string,
  prefix: string,
  folder: string,
): Promise<Map<string, number>> {
  const files = new Map<string, number>();
  for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix + folder })) {
    for (const { Key = "", Size = 0 } of page.Contents ?? []) files.set(Key.slice(prefix.length), Size);
  }
  return files;
}

async function readObject(
  client: S3Client,
  place: { readonly Bucket: string; readonly Key: string },
): Promise<string | null> {
  try {
    const { Body } = await client.send(new GetObjectCommand(place));
    return (await Body?.transformToString("utf8")) ?? "";
  } catch (error) {
    if (error instanceof Error && error.name === "NoSuchKey") return null;
    throw error;
  }
}

async function baseAddress(client: S3Client, bucket: string, endpoint: string | null): Promise<string> {
  if (endpoint !== null) return `${endpoint.replace(/\/+$/, "")}/${bucket}`;
  const host = `s3.${await client.config.region()}.amazonaws.com`;
  // A dot in a bucket's name breaks the certificate of an address that starts with it.
  return bucket.includes(".") ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
}

function contentType(path: string): string {
  return path.endsWith(".json") ? "application/json" : "application/vnd.apache.parquet";
}

function errorName(cause: unknown): string {
  if (!(cause instanceof Error)) return "unknown error";
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : cause.name;
  const status = "$metadata" in cause ? statusOf(cause.$metadata) : "";
  return `${code}${status}`;
}

function statusOf(metadata: unknown): string {
  const hasStatus = typeof metadata === "object" && metadata !== null && "httpStatusCode" in metadata;
  return hasStatus && typeof metadata.httpStatusCode === "number" ? ` (HTTP ${metadata.httpStatusCode})` : "";
}
