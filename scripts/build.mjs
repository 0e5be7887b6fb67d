import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";

// tsc never removes the output of a source that is gone, and a stale worker would still run.
if (process.argv.includes("--clean")) rmSync("dist", { recursive: true, force: true });

const tsc = spawnSync("node_modules/.bin/tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
if (tsc.status !== 0) process.exit(tsc.status ?? 1);
if (existsSync("dist/pipeline/cli.js")) chmodSync("dist/pipeline/cli.js", 0o755);
writeFileSync("dist/.built", "");
