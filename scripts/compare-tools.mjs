// What Piquet and other readers of Pi's sessions say of the same files, beside what was really paid.
//   node scripts/compare-tools.mjs CORPUS [--tools FOLDER]
// CORPUS holds session files and manifest.json with a ledger, each request noted once, when it was made; or
// the sessions and truth.json of the writer of synthetic sessions.
// FOLDER has the other tools in node_modules; without it they are installed into a temporary folder, in the
// versions below. They run offline, with a home of their own. Prints Markdown. Needs a build.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";

/** Bun runs tokscale. */
const VERSIONS = { ccusage: "20.0.24", tokscale: "1.4.3", bun: "1.4.5" };
const COUNTS = ["input", "output", "cacheRead", "cacheWrite"];
const TRUTH = "what was paid";

const [corpus, flag, given] = process.argv.slice(2);
if (corpus === undefined || (flag !== undefined && (flag !== "--tools" || given === undefined))) {
  process.stderr.write("usage: node scripts/compare-tools.mjs CORPUS [--tools FOLDER]\n");
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "piquet-compare-"));
try {
  const home = join(folder, "home");
  const { fileCount, paid } = existsSync(join(corpus, "truth.json"))
    ? takeSynthetic(home)
    : takeCovered(home);
  const tools = given === undefined ? installTools(join(folder, "tools")) : resolve(given);
  const rows = [paid, ...askPiquet(home), askCcusage(tools, home), askTokscale(tools, home)];
  process.stdout.write(`${fileCount} session files\n\n${markdown(rows)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The ledger covers what Pi's own session manager wrote; hand-written files have no ledger. */
function takeCovered(home) {
  const { cases, ledger } = JSON.parse(readFileSync(join(corpus, "manifest.json"), "utf8"));
  const covered = cases.filter((one) => one.driver === "SessionManager");
  for (const { file } of covered) {
    const place = file.replace(/^agent\//, "").replace(/^team-sessions\//, "sessions/--team--/");
    const target = join(home, ".pi/agent", place);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(corpus, file), target);
  }
  const paid = ledger.filter((row) => !row.lost && row.sameAsChildSession === undefined);
  return { fileCount: covered.length, paid: sumOf(paid) };
}

function takeSynthetic(home) {
  const truth = JSON.parse(readFileSync(join(corpus, "truth.json"), "utf8"));
  cpSync(join(corpus, "sessions"), join(home, ".pi/agent/sessions"), { recursive: true });
  return { fileCount: truth.files, paid: sumOf([truth.oncePerRequest, truth.subagentDetailsOnce]) };
}

function sumOf(rows) {
  const sum = (name) => rows.reduce((total, row) => total + Number(row[name]), 0);
  return { name: TRUTH, counts: COUNTS.map(sum), cost: sum("cost") };
}

function askPiquet(home) {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const db = join(home, "w.duckdb");
  run(
    process.execPath,
    ["dist/pipeline/cli.js", "ingest", join(home, ".pi/agent"), "--db", db, "--quiet"],
    home,
  );
  const ask = (from) => {
    const sums = ["input", "output", "cache_read", "cache_write"].map(
      (name) => `sum(${name}_tokens)::bigint as ${name}`,
    );
    const sql = `select ${sums.join(", ")}, sum(cost_usd)::double as cost from ${from}`;
    const [row] = JSON.parse(
      run(process.execPath, ["dist/pipeline/cli.js", "sql", sql, "--db", db, "--format", "json"], home),
    );
    return { counts: [row.input, row.output, row.cache_read, row.cache_write], cost: row.cost };
  };
  return [
    { name: `piquet ${version}`, ...ask("v1.spend_daily") },
    { name: "Pi's own `/session`, summed over files", ...ask("v1.pi_session_totals") },
  ];
}

function askCcusage(tools, home) {
  const { totals } = JSON.parse(
    run(bin(tools, "ccusage"), ["pi", "daily", "--json", "--offline"], home, tools),
  );
  const counts = [
    totals.inputTokens,
    totals.outputTokens,
    totals.cacheReadTokens,
    totals.cacheCreationTokens,
  ];
  return { name: `ccusage ${VERSIONS.ccusage}`, counts, cost: totals.totalCost };
}

/** It takes no cost from Pi, only prices from the network; an empty list of them makes it run offline. */
function askTokscale(tools, home) {
  const cache = join(home, ".cache/tokscale");
  mkdirSync(cache, { recursive: true });
  const prices = { timestamp: Math.floor(Date.now() / 1000), data: { none: { input_cost_per_token: 0 } } };
  for (const list of ["litellm", "openrouter"])
    writeFileSync(join(cache, `pricing-${list}.json`), JSON.stringify(prices));
  const report = JSON.parse(
    run(bin(tools, "tokscale"), ["models", "--pi", "--json", "--no-spinner"], home, tools),
  );
  const counts = [report.totalInput, report.totalOutput, report.totalCacheRead, report.totalCacheWrite];
  return { name: `tokscale ${VERSIONS.tokscale}`, counts, cost: null };
}

function installTools(target) {
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, "package.json"), "{}");
  const packages = Object.entries(VERSIONS).map(([name, version]) => `${name}@${version}`);
  run("npm", ["install", "--no-audit", "--no-fund", "--silent", ...packages], process.env.HOME, target);
  return target;
}

function bin(tools, name) {
  return join(tools, "node_modules/.bin", name);
}

function run(command, args, home, tools = ".") {
  const path = `${join(tools, "node_modules/.bin")}${delimiter}${process.env.PATH}`;
  const cwd = command === "npm" ? tools : process.cwd();
  const env = { PATH: path, HOME: home, TZ: "UTC", NO_COLOR: "1" };
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? stderr.slice(0, 500)}`);
}

function markdown(rows) {
  const [{ counts: trueCounts, cost: trueCost }] = rows;
  const trueTokens = total(trueCounts);
  const head = ["", "input", "output", "cache read", "cache write", "tokens, off by", "cost", "cost, off by"];
  const lines = rows.map(({ name, counts, cost }) => [
    name,
    ...counts.map((count) => count.toLocaleString("en")),
    name === TRUTH ? "" : share(total(counts), trueTokens),
    cost === null ? "not read" : `$${cost.toFixed(6)}`,
    cost === null || name === TRUTH ? "" : share(cost, trueCost),
  ]);
  return [head, ["---", ...head.slice(1).map(() => "---:")], ...lines]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

function total(counts) {
  return counts.reduce((sum, count) => sum + count, 0);
}

function share(value, truth) {
  const off = (value / truth - 1) * 100;
  return Math.abs(off) < 1e-9 ? "0" : `${off > 0 ? "+" : ""}${off.toFixed(1)} %`;
}
