import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { type BucketStore, s3Store } from "../../../pipeline/publish/s3-store.js";
import { proofFolder } from "../../support/proof-folder.js";
import { startS3Server } from "./s3-server.js";

/** The keys that the server takes. */
export const KEYS = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" };

export interface Bucket {
  /** A lake below a prefix that ends in a slash. */
  readonly store: (prefix: string) => BucketStore;
}

/** An empty bucket on a server of its own, for the tests of a file. */
export async function openBucket(): Promise<Bucket> {
  Object.assign(process.env, KEYS);
  const folder = proofFolder();
  const endpoint = await startS3Server(join(folder, "objects"));
  return {
    store: (prefix) =>
      s3Store({
        bucket: "lake",
        prefix,
        endpoint,
        defaultRegion: "us-east-1",
        draftFolder: mkdtempSync(join(folder, "drafts-")),
      }),
  };
}
