// Nightly loads of an invented home that grows, forks and shrinks: `make nights`. Needs a build.
//
// Each night the warehouse's totals have to be those of a ledger that knows nothing of the program. At the
// end its size is compared with that of a warehouse which loads, in one go, the home as it is then together
// with every deleted, overwritten or shortened file as it was last seen.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createHome } from "./nights/home.mjs";
import { createLedger } from "./nights/ledger.mjs";

const MOST_GROWTH = 1.2;
/** A file of a few blocks says nothing: the program does not write it anew for less. */
const LEAST_WASTE_BYTES = 4 * 2 ** 20;
const TOTALS = `
  select
    (select sum(cost_usd)::decimal(18, 9)::varchar from v1.spend_daily) as cost_usd,
    (select sum(input_tokens + output_tokens + cache_read_tokens + cache_write_tokens)::bigint::varchar
      from v1.spend_daily) as tokens,
    (select sum(request_count)::bigint::varchar from v1.spend_daily) as requests,
    (select count(*)::varchar from base.entries where not is_copy) as records`;
const DAYS = `
  select spent_on, sum(cost_usd)::decimal(18, 9)::varchar as cost_usd
  from v1.spend_daily group by all order by all`;
const ROWS = `select (select count(*) from base.entries) as entries, (select count(*) from base.files) as files,
  (select count(*) from base.sessions) as sessions`;

const { values } = parseArgs({
  options: {
    nights: { type: "string", default: "30" },
    sessions: { type: "string", default: "400" },
    records: { type: "string", default: "60" },
    text: { type: "string", default: "1200" },
    change: { type: "string", default: "0.01" },
    seed: { type: "string", default: "7" },
    folder: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const nights = Number(values.nights);
const folder = values.folder ?? mkdtempSync(join(tmpdir(), "piquet-nights-"));
const home = createHome(join(folder, "home"), {
  seed: Number(values.seed),
  recordCount: Number(values.records),
  textChars: Number(values.text),
});
const ledger = createLedger();
const dbPath = join(folder, "nightly.duckdb");
const results = [];

mkdirSync(home.root, { recursive: true });
try {
  for (let night = 1; night <= nights; night += 1) results.push(passNight(night));
  finish();
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}

function passNight(night) {
  const done = night === 1 ? { create: Number(values.sessions) } : home.passNight(Number(values.change));
  if (night === 1) home.begin(Number(values.sessions));
  ledger.see(home.see());
  const { report, wall_ms } = ingest(dbPath, [home.root]);
  const found = { ...ask(dbPath, TOTALS)[0], days: daysOf(ask(dbPath, DAYS)) };
  const expected = ledger.totals();
  const is_equal = JSON.stringify(found) === JSON.stringify(expected);
  const result = {
    night,
    changes: done,
    home_bytes: home.bytes(),
    bytes_read: report.bytes_read,
    wall_ms,
    warehouse_bytes: statSync(dbPath).size,
    cost_usd: found.cost_usd,
    is_equal,
    failed_checks: report.failed_checks,
  };
  if (!values.json) process.stdout.write(lineOf(result));
  if (!is_equal) {
    process.stderr.write(
      `night ${night}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}\n`,
    );
    process.exitCode = 1;
  }
  if (report.failed_checks.length > 0) process.exitCode = 1;
  return result;
}

function finish() {
  const freshPath = join(folder, "fresh.duckdb");
  const graves = join(folder, "graves");
  mkdirSync(graves, { recursive: true });
  home.writeGraves(graves);
  const { wall_ms } = ingest(freshPath, [home.root, graves]);
  const nightly = { warehouse_bytes: statSync(dbPath).size, ...ask(dbPath, ROWS)[0] };
  const fresh = { warehouse_bytes: statSync(freshPath).size, wall_ms, ...ask(freshPath, ROWS)[0] };
  const growth = nightly.warehouse_bytes / fresh.warehouse_bytes;
  const wasteBytes = nightly.warehouse_bytes - fresh.warehouse_bytes;
  if (growth > MOST_GROWTH && wasteBytes > LEAST_WASTE_BYTES) process.exitCode = 1;
  const freshCost = ask(freshPath, TOTALS)[0].cost_usd;
  const isSame = freshCost === ledger.totals().cost_usd;
  if (!isSame) process.exitCode = 1;
  const summary = { nights: results, nightly, fresh, growth, fresh_is_equal: isSame };
  if (values.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
  else
    process.stdout.write(
      `\nafter ${nights} nights ${mb(nightly.warehouse_bytes)} MB, ${nightly.entries} entries; all loaded at once ` +
        `${mb(fresh.warehouse_bytes)} MB, ${fresh.entries} entries: ${growth.toFixed(3)} (at most ${MOST_GROWTH})\n`,
    );
}

function ingest(target, roots) {
  const started = performance.now();
  const output = piquet("ingest", "--json", "--quiet", "--db", target, "--time-zone", "UTC", ...roots);
  return { report: JSON.parse(output), wall_ms: Math.round(performance.now() - started) };
}

function ask(target, query) {
  return JSON.parse(piquet("sql", "--db", target, "--format", "json", query));
}

function piquet(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve("dist/pipeline/cli.js"), ...args], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    env: { PATH: process.env.PATH, HOME: folder },
  });
  if (status !== 0) throw new Error(`piquet ${args[0]} ended with ${status}: ${stderr}`);
  return stdout;
}

function daysOf(rows) {
  return Object.fromEntries(rows.map((row) => [row.spent_on, row.cost_usd]));
}

function lineOf(result) {
  const changes = Object.entries(result.changes).map(([kind, count]) => `${count} ${kind}`);
  return [
    String(result.night).padStart(3),
    `home ${mb(result.home_bytes)} MB`,
    `read ${mb(result.bytes_read)} MB`,
    `${(result.wall_ms / 1_000).toFixed(1)} s`,
    `warehouse ${mb(result.warehouse_bytes)} MB`,
    `$${result.cost_usd} ${result.is_equal ? "agrees" : "DIFFERS"}`,
    changes.join(", "),
  ]
    .join("  ")
    .concat("\n");
}

function mb(bytes) {
  return (bytes / 1e6).toFixed(1);
}
