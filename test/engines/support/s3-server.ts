import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll } from "vitest";

/**
 * Starts an S3 server with an empty bucket called lake over the folder. It is a process of its own, since a
 * query of ClickHouse in this one leaves no time to answer it. Gives its address.
 */
export async function startS3Server(folder: string): Promise<string> {
  const server = spawn(process.execPath, [resolve("test/engines/support/serve-s3.mjs"), folder], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  afterAll(async () => {
    server.stdin.end();
    await once(server, "close");
  });
  const [port] = await once(createInterface(server.stdout), "line");
  return `http://127.0.0.1:${port}`;
}
