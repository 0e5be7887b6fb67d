import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { GetObjectCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { GenericContainer, type StartedTestContainer, Wait } from "testcontainers";
import { LABELS } from "./labels.js";

const PORT = 4568;
const KEY = "S3RVER";

export interface S3Server {
  /** What the AWS tools take from the environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly client: S3Client;
  /** Lines of its log so far; each request has one, with its path in the bucket. */
  readonly log: readonly string[];
  /** The same for a container beside the server, with the network they share. */
  readonly inside: { readonly network: string; readonly env: Readonly<Record<string, string>> };
  stop(): Promise<void>;
}

export interface StoredObject {
  readonly bytes: number;
  readonly sha256: string;
  readonly modified: string;
}

export const BUCKET = "lake";

/** A server with an empty bucket. */
export async function startS3(): Promise<S3Server> {
  const log: string[] = [];
  const container = await new GenericContainer(process.env["PIQUET_TEST_S3_IMAGE"] ?? "")
    .withExposedPorts(PORT)
    .withLabels(LABELS)
    .withLogConsumer((stream) => createInterface(stream).on("line", (line) => log.push(line)))
    .withWaitStrategy(Wait.forLogMessage(/listening/))
    .start();
  const endpoint = endpointOf(container);
  const credentials = { accessKeyId: KEY, secretAccessKey: KEY };
  const [network = "bridge"] = container.getNetworkNames();
  const client = new S3Client({ endpoint, credentials, region: "us-east-1", forcePathStyle: true });
  return {
    env: environmentFor(endpoint),
    client,
    log,
    inside: { network, env: environmentFor(`http://${container.getIpAddress(network)}:${PORT}`) },
    stop: async () => {
      client.destroy();
      await container.stop();
    },
  };
}

function environmentFor(endpoint: string): Readonly<Record<string, string>> {
  return {
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: KEY,
    AWS_SECRET_ACCESS_KEY: KEY,
    // On Node 20 the SDK announces the end of its support, on standard error.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
  };
}

/** By number, since a name would be taken for a domain with a name for each bucket. */
function endpointOf(container: StartedTestContainer): string {
  const host = container.getHost() === "localhost" ? "127.0.0.1" : container.getHost();
  return `http://${host}:${container.getMappedPort(PORT)}`;
}

/** Every object of the bucket by its key. */
export async function listObjects({ client }: S3Server): Promise<Map<string, StoredObject>> {
  const found = new Map<string, StoredObject>();
  let token: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: BUCKET, ...(token !== undefined && { ContinuationToken: token }) }),
    );
    for (const { Key: key, LastModified: modified } of page.Contents ?? []) {
      const body = await readObject(client, key ?? "");
      found.set(key ?? "", {
        bytes: body.length,
        sha256: createHash("sha256").update(body).digest("hex"),
        modified: modified?.toISOString() ?? "",
      });
    }
    token = page.NextContinuationToken;
  } while (token !== undefined);
  return found;
}

async function readObject(client: S3Client, key: string): Promise<Uint8Array> {
  const { Body: body } = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key: key }));
  return (await body?.transformToByteArray()) ?? new Uint8Array();
}

/** Copies what lies below a prefix into a folder. */
export async function download(server: S3Server, prefix: string, folder: string): Promise<void> {
  for (const key of (await listObjects(server)).keys()) {
    if (!key.startsWith(prefix)) continue;
    const path = join(folder, key.slice(prefix.length));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await readObject(server.client, key));
  }
}
