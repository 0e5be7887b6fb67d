import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { proofFolder } from "../support/proof-folder.js";
import { load, type ProofRow, query, queryAll, valueOf } from "../support/proof-warehouse.js";
import { runPiquet } from "../support/run-piquet.js";
import { testDataFolder } from "../support/test-data.js";

/** Sums that the writer of the sessions kept while it wrote them. */
interface Sums {
  readonly paid: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cost: string | number;
}

interface Truth {
  readonly files: number;
  readonly records: number;
  readonly oncePerRequest: Sums;
  readonly oncePerRequestByModel: Readonly<Record<string, Sums>>;
  readonly oncePerRequestByDay: Readonly<Record<string, Sums>>;
  readonly everyRecord: Sums;
  readonly subagentDetailsOnce: Sums;
  readonly failuresOnce: Readonly<Record<"error" | "aborted" | "length" | "toolErrors", number>>;
}

const SUMS = `count(*) as paid,
  sum(input_tokens) as "input",
  sum(output_tokens) as "output",
  sum(cache_read_tokens) as "cacheRead",
  sum(cache_write_tokens) as "cacheWrite",
  sum(cost_usd) as cost`;
const NOT_DETAILS = "is_counted and source <> 'subagent'";
/** Long enough to be in the middle of reading, on a slow machine too. */
const KILLED_AFTER_MS = 1500;

const data = testDataFolder();
if (data === null) console.info("skipped: PIQUET_TEST_DATA names no folder with the writer of sessions");

describe.skipIf(data === null)("2,000 sessions whose sums are known", () => {
  const folder = proofFolder();
  const sessions = join(folder, "sessions");
  const dbPath = join(folder, "w.duckdb");
  let truth: Truth;
  let report: unknown;
  let killSignal: unknown;

  beforeAll(async () => {
    if (data === null) return;
    const writer = join(data, "tools", "synth.mjs");
    const size = ["--sessions", "2000", "--bytes", "60MiB", "--seed", "1"];
    execFileSync(process.execPath, [writer, folder, ...size], { stdio: "ignore" });
    truth = JSON.parse(readFileSync(join(folder, "truth.json"), "utf8"));
    killSignal = await killedLoad();
    const args = ["ingest", sessions, "--db", dbPath, "--json", "--quiet", "--time-zone", "UTC"];
    const { stdout } = await runPiquet(args, { home: folder });
    report = JSON.parse(stdout);
  }, 120_000);

  it("loads after a run that was killed as if that had not been", () => {
    expect(killSignal).toBe("SIGKILL");
    expect(report).toMatchObject({ load_id: 1, status: "succeeded", files: { loaded: truth.files } });
  });

  /** What a run that was killed leaves behind must not show in the sums of the next one. */
  async function killedLoad(): Promise<unknown> {
    const args = [resolve("dist/pipeline/cli.js"), "ingest", sessions, "--db", dbPath, "--quiet"];
    const child = spawn(process.execPath, args, { stdio: "ignore", env: { ...process.env, HOME: folder } });
    const closed = new Promise<unknown>((done) => child.on("close", (_code, signal) => done(signal)));
    await wait(KILLED_AFTER_MS);
    child.kill("SIGKILL");
    return closed;
  }

  it("counts each request once", async () => {
    const [row] = await query(dbPath, `select ${SUMS} from base.usage where ${NOT_DETAILS}`);
    expect(sumsOf(row)).toEqual(exact(truth.oncePerRequest));
  });

  it("counts each sub-agent's details once", async () => {
    const [row] = await query(
      dbPath,
      `select ${SUMS} from base.usage where is_counted and source = 'subagent'`,
    );
    expect(sumsOf(row)).toEqual(exact(truth.subagentDetailsOnce));
  });

  // A summary's record names no model, so the truth keeps those apart.
  it("has the same sums by model", async () => {
    const rows = await query(
      dbPath,
      `select
        case when source in ('assistant', 'usage_entry') then provider || '/' || model_id else 'tools/summaries' end as key,
        ${SUMS}
      from base.usage where ${NOT_DETAILS} group by all`,
    );
    expect(byKey(rows)).toEqual(exactAll(truth.oncePerRequestByModel));
  });

  it("has the same sums by day", async () => {
    const rows = await query(
      dbPath,
      `select occurred_on as key, ${SUMS} from base.usage where ${NOT_DETAILS} group by all`,
    );
    expect(byKey(rows)).toEqual(exactAll(truth.oncePerRequestByDay));
  });

  it("shows the same spend through its views", async () => {
    const cost = (from: string): string => `select sum(cost_usd) as cost from ${from}`;
    const [daily, sourceless, model, project, sessionsAndChildren] = await queryAll(dbPath, [
      cost("v1.spend_daily where source <> 'subagent'"),
      cost("v1.spend_daily"),
      cost("v1.spend_by_model"),
      cost("v1.spend_by_project"),
      cost("v1.spend_by_session"),
    ]);
    const requests = nano(truth.oncePerRequest.cost);
    const everything = requests + nano(truth.subagentDetailsOnce.cost);
    expect(
      [daily, sourceless, model, project, sessionsAndChildren].map((rows) => nano(rows?.[0]?.["cost"])),
    ).toEqual([requests, everything, everything, everything, requests]);
  });

  it("counts every record of every file by Pi's own rule", async () => {
    const [row] = await query(
      dbPath,
      `select sum(input_tokens) as "input", sum(output_tokens) as "output", sum(cost_usd) as cost
      from v1.pi_session_totals`,
    );
    const { input, output, cost } = truth.everyRecord;
    expect([row?.["input"], row?.["output"]]).toEqual([input, output]);
    expect(Math.abs(Number(row?.["cost"]) - Number(cost))).toBeLessThan(1e-6);
  });

  it("counts each failure once", async () => {
    const requests = await query(
      dbPath,
      `select stop_reason as key, count(*) as n from base.messages
      where not is_copy and role = 'assistant' and stop_reason in ('error', 'aborted', 'length') group by all`,
    );
    const toolErrors = await valueOf(
      dbPath,
      "select count(*) from base.messages where not is_copy and role = 'toolResult' and is_error",
    );
    const { toolErrors: expected, ...reasons } = truth.failuresOnce;
    expect(Object.fromEntries(requests.map((row) => [row["key"], Number(row["n"])]))).toEqual(reasons);
    expect(Number(toolErrors)).toBe(expected);
    expect(Number(await valueOf(dbPath, "select sum(failed_request_count) from v1.spend_daily"))).toBe(
      reasons.error + reasons.aborted,
    );
  });

  it("reads no file again when nothing changed, with fewer threads", async () => {
    const before = await queryAll(dbPath, ["select sum(hash(usage)) from base.usage"]);
    const report = await load(dbPath, [sessions], { jobs: 1 });
    expect(report).toMatchObject({ bytes_read: 0, files: { loaded: 0, unchanged: truth.files } });
    expect(await queryAll(dbPath, ["select sum(hash(usage)) from base.usage"])).toEqual(before);
  });
});

function byKey(rows: readonly ProofRow[]): Record<string, unknown> {
  return Object.fromEntries(rows.map((row) => [String(row["key"]), sumsOf(row)]));
}

function sumsOf(row: ProofRow | undefined): unknown {
  const count = (name: string): number => Number(row?.[name]);
  return {
    paid: count("paid"),
    input: count("input"),
    output: count("output"),
    cacheRead: count("cacheRead"),
    cacheWrite: count("cacheWrite"),
    cost: nano(row?.["cost"]),
  };
}

function exact(sums: Sums): unknown {
  return { ...sums, cost: nano(sums.cost) };
}

function exactAll(all: Readonly<Record<string, Sums>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(all).map(([key, sums]) => [key, exact(sums)]));
}

/** Decimal digits as whole nanodollars. */
function nano(digits: unknown): bigint {
  const [whole = "0", fraction = ""] = String(digits ?? 0).split(".");
  return BigInt(whole + fraction.padEnd(9, "0"));
}
