// First load: `make ingest`. Needs a build.
import { spawnSync } from "node:child_process";
import { homedir } from "node:os";
import { discoverFiles } from "../dist/pipeline/discover/discover.js";
import { findRoots } from "../dist/pipeline/roots.js";

const SPEND = `
  select
    spent_on,
    model_id,
    sum(request_count)::bigint as requests,
    sum(input_tokens + output_tokens + cache_read_tokens + cache_write_tokens)::bigint as tokens,
    sum(cost_usd)::decimal(18, 9) as cost_usd
  from v1.spend_daily
  group by all
  order by spent_on desc nulls last, cost_usd desc nulls last
  limit 20`;

const { SESSIONS: sessions, DB: db } = process.env;
const isSample = !sessions && !hasOwnSessions();
const roots = isSample ? ["examples/sessions"] : sessions ? [sessions] : [];
// Of its own, so that invented spend never stands beside real.
const warehouse = db || (isSample ? "examples/sample.duckdb" : "");
const target = warehouse ? ["--db", warehouse] : [];

if (isSample)
  process.stdout.write("No sessions of Pi found for this user: loading the sample in examples/sessions.\n");
piquet("ingest", ...target, ...roots);
process.stdout.write("\nSpend by day and model:\n\n");
piquet("sql", ...target, SPEND);
process.stdout.write(
  `\nMore: npx piquet views, npx piquet sql ${target.join(" ")}${warehouse ? " " : ""}"from v1.sessions"\n`,
);

function hasOwnSessions() {
  const world = { env: process.env, homeDir: homedir(), workDir: process.cwd() };
  try {
    return discoverFiles(findRoots([], world), { withArchives: false }).files.length > 0;
  } catch {
    return false;
  }
}

function piquet(...args) {
  const { status } = spawnSync(process.execPath, ["dist/pipeline/cli.js", ...args], { stdio: "inherit" });
  // Loaded, but a check failed: what there is can be shown all the same.
  if (status === 3) process.exitCode = status;
  else if (status !== 0) process.exit(status ?? 1);
}
