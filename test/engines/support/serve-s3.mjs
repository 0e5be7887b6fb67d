import S3rver from "s3rver";

/** Serves a bucket called lake from a folder; prints its port. Ends with the process that started it. */
const server = new S3rver({
  address: "127.0.0.1",
  port: 0,
  directory: process.argv[2],
  silent: true,
  configureBuckets: [{ name: "lake" }],
});
const { port } = await server.run();
process.stdout.write(`${port}\n`);
process.stdin.on("end", () => process.exit()).resume();
