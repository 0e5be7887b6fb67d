import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const SOURCES = ["pipeline", "schema", "package.json", "tsconfig.json", "tsconfig.build.json"];

/**
 * Workers and the command line run from `dist`, so it is built before any test when a source is newer. The
 * compiler emits in spite of type errors; they are printed here and fail `make types`, not the tests.
 */
export function setup(): void {
  if (newestMtimeMs("dist/.built") > Math.max(...SOURCES.map(newestMtimeMs))) return;
  const build = spawnSync("npm", ["run", "--silent", "build"], { encoding: "utf8" });
  if (build.status !== 0) process.stderr.write(`npm run build: ${build.stdout}${build.stderr}\n`);
}

function newestMtimeMs(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestMtimeMs(join(path, name))));
}
