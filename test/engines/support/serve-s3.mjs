import { appendFileSync } from "node:fs";
import S3rver from "s3rver";

/**
 * Serves a bucket called lake from a folder; prints its port, and writes each request into a file beside the
 * folder. Refuses the second part of an upload below a prefix called broken, and never answers it below slow.
 * Ends with the process that started it.
 */
const server = new S3rver({
  address: "127.0.0.1",
  port: 0,
  directory: process.argv[2],
  silent: true,
  configureBuckets: [{ name: "lake" }],
});
appendFileSync(`${process.argv[2]}.requests`, "");
server.middleware.unshift(async (context, next) => {
  appendFileSync(`${process.argv[2]}.requests`, `${context.method} ${context.url}\n`);
  const isLaterPart = Number(context.query.partNumber) > 1;
  if (isLaterPart && context.path.includes("/slow/")) await new Promise(() => {});
  if (!isLaterPart || !context.path.includes("/broken/")) return await next();
  context.req.resume();
  context.status = 400;
  context.body = "<Error><Code>InvalidPart</Code></Error>";
});
const { port } = await server.run();
process.stdout.write(`${port}\n`);
process.stdin.on("end", () => process.exit()).resume();
