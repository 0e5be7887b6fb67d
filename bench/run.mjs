// `make bench`: a cold load against plain DuckDB SQL, as whole processes in turn, then two later runs.
// Options: --corpus FOLDER (else a synthetic one is made with the tool in PIQUET_TEST_DATA), --rounds 5,
// --bytes 300MiB, --sessions 1500.
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values: options } = parseArgs({
  options: {
    corpus: { type: "string" },
    rounds: { type: "string", default: "5" },
    bytes: { type: "string", default: "300MiB" },
    sessions: { type: "string", default: "1500" },
  },
});
const work = mkdtempSync(join(tmpdir(), "piquet-bench-"));
const result = join(work, "usage.json");
const cli = new URL("../dist/pipeline/cli.js", import.meta.url).pathname;
const plain = new URL("plain-duckdb.mjs", import.meta.url).pathname;
const hook = new URL("measure.mjs", import.meta.url).href;

try {
  const corpus = options.corpus ?? makeCorpus();
  if (corpus !== null) compare(corpus);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function makeCorpus() {
  const data = process.env.PIQUET_TEST_DATA;
  if (!data) {
    console.log("skipped: give --corpus FOLDER, or PIQUET_TEST_DATA for a synthetic corpus");
    return null;
  }
  const out = join(work, "corpus");
  const args = [out, "--sessions", options.sessions, "--bytes", options.bytes, "--seed", "1"];
  spawnSync(process.execPath, [join(data, "tools", "synth.mjs"), ...args], { stdio: "ignore" });
  return join(out, "sessions");
}

function compare(corpus) {
  const rounds = Number(options.rounds);
  const byHand = [];
  const ours = [];
  const plainDb = join(work, "plain.duckdb");
  const piquetDb = join(work, "piquet.duckdb");
  for (let round = 0; round < rounds; round += 1) {
    for (const path of [plainDb, piquetDb]) rmSync(path, { force: true });
    byHand.push(measure([plain, corpus, plainDb]));
    ours.push(measure(ingest(corpus, piquetDb)));
  }
  const files = readdirSync(corpus, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const bytes = files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
  console.log(
    `${files.length} files, ${megabytes(bytes)} MB, Node ${process.version}, medians of ${rounds}\n`,
  );
  console.log("| | wall s | cpu s | peak MB | database MB |\n|---|---:|---:|---:|---:|");
  console.log(row("plain DuckDB SQL, cold", byHand, plainDb));
  console.log(row("piquet ingest, cold", ours, piquetDb));
  console.log(ratios("piquet / plain, pair by pair", ours, byHand));

  const again = Array.from({ length: rounds }, () => measure(ingest(corpus, piquetDb)));
  console.log(row("piquet ingest, nothing changed", again, piquetDb));
  console.log(row("piquet ingest, one file grew", oneFileGrows(corpus, files, piquetDb), piquetDb));
}

function oneFileGrows(corpus, files, database) {
  const path = join(files[0].parentPath, files[0].name);
  const size = statSync(path).size;
  try {
    appendFileSync(
      path,
      '{"type":"custom","id":"beef0001","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z"}\n',
    );
    return [measure(ingest(corpus, database))];
  } finally {
    truncateSync(path, size);
  }
}

function ingest(corpus, database) {
  return [cli, "ingest", corpus, "--db", database, "--quiet", "--json", "--time-zone", "UTC"];
}

function measure(args) {
  const env = { ...process.env, PIQUET_BENCH_RESULT: result };
  const { status, stderr } = spawnSync(process.execPath, ["--import", hook, ...args], {
    env,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${args[0]} left with ${status}: ${stderr}`);
  return JSON.parse(readFileSync(result, "utf8"));
}

function row(name, runs, database) {
  const figures = [
    seconds(median(runs.map((run) => run.wall_ms))),
    seconds(median(runs.map((run) => run.cpu_ms))),
    megabytes(median(runs.map((run) => run.peak_bytes))),
    megabytes(statSync(database).size),
  ];
  return `| ${name} | ${figures.join(" | ")} |`;
}

function ratios(name, ours, theirs) {
  const ratio = (key) => median(ours.map((run, index) => run[key] / theirs[index][key])).toFixed(2);
  return `| ${name} | ${ratio("wall_ms")} | ${ratio("cpu_ms")} | ${ratio("peak_bytes")} | |`;
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function seconds(ms) {
  return (ms / 1000).toFixed(2);
}

function megabytes(bytes) {
  return Math.round(bytes / 1e6).toLocaleString("en");
}
