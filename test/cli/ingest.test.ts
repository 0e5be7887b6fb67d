import { appendFileSync, cpSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { runPiquet } from "../support/run-piquet.js";
import { tempFolder } from "../support/temp-folder.js";

const SAMPLE = resolve("examples/sessions");
const SAMPLE_SESSION =
  "--home-ada-shop--/2026-01-06T14-00-00-000Z_0190a000-0000-7000-8000-00000000000c.jsonl";
const SPEND = `select spent_on, model_id, sum(cost_usd)::decimal(18, 9) as cost_usd
  from v1.spend_daily group by all order by all`;

/** A home of a user who has the sample as her sessions. */
function homeOfAda(): string {
  const home = tempFolder();
  cpSync(SAMPLE, join(home, ".pi/agent/sessions"), { recursive: true });
  return home;
}

describe("piquet ingest", () => {
  it("loads Pi's sessions of the user and prints one report object", async () => {
    const home = homeOfAda();
    const { stdout, exitCode } = await runPiquet(["ingest", "--json"], { home });
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      0,
      {
        load_id: 1,
        status: "succeeded",
        files: { seen: 4, loaded: 4, unchanged: 0, skipped: 0, missing: 0, failed: 0 },
        rows: expect.objectContaining({ sessions: 4, entries: 36 }),
        rejects: 0,
        pending_tails: 0,
        copies: 9,
        failed_checks: [],
        bytes_read: 14013,
        duration_ms: expect.any(Number),
        warnings: [],
      },
    ]);
    const spend = await runPiquet(["sql", "--format", "jsonl", SPEND], { home });
    expect(spend.stdout.trimEnd().split("\n")).toEqual([
      '{"spent_on":"2026-01-05","model_id":"claude-opus-4-8","cost_usd":0.138900000}',
      '{"spent_on":"2026-01-06","model_id":"claude-opus-4-8","cost_usd":0.011250000}',
      '{"spent_on":"2026-01-06","model_id":"gpt-5-mini","cost_usd":0.003000000}',
    ]);
  });

  it("tells a person what it did, and where", async () => {
    const home = homeOfAda();
    const first = await runPiquet(["ingest", "--db", "w.duckdb"], { home });
    expect(first.stdout).toMatch(/^Loaded 4 of 4 files\n {2}read +14\.0 kB in \d+\.\d s\n/);
    expect(first.stdout).toContain(`into   ${join(home, "w.duckdb")}\n`);
    const second = await runPiquet(["ingest", "--db", "w.duckdb"], { home });
    expect(second.stdout).toMatch(/^Loaded 0 of 4 files \(4 unchanged\)\n/);
  });

  it("keeps the warehouse and its folder to its owner", async () => {
    const home = homeOfAda();
    await runPiquet(["ingest"], { home });
    const modes = ["piquet", "piquet/warehouse.duckdb"].map(
      (path) => statSync(join(home, ".local/share", path)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600]);
  });

  it("exits 3 for rejected lines under --strict alone, though the rest is loaded", async () => {
    const home = homeOfAda();
    appendFileSync(join(home, ".pi/agent/sessions", SAMPLE_SESSION), "not a record\n");
    const lax = await runPiquet(["ingest", "--db", "lax.duckdb"], { home });
    const strict = await runPiquet(["ingest", "--db", "strict.duckdb", "--strict", "--json"], { home });
    expect([lax.exitCode, strict.exitCode]).toEqual([0, 3]);
    expect(JSON.parse(strict.stdout)).toMatchObject({
      status: "succeeded",
      rejects: 1,
      files: { loaded: 4 },
    });
  });

  it("logs no text of a session, however much it logs", async () => {
    const home = homeOfAda();
    appendFileSync(join(home, ".pi/agent/sessions", SAMPLE_SESSION), "a secret that is no record\n");
    const { stderr } = await runPiquet(["ingest", "--verbose"], { home });
    expect(stderr).not.toMatch(/secret|cart|prices|scout/i);
  });

  it("takes an agent folder, or several folders that overlap, as it takes the sessions in them", async () => {
    const home = homeOfAda();
    const roots = [".pi/agent", ".pi/agent/sessions", SAMPLE];
    const { stdout } = await runPiquet(["ingest", "--json", ...roots], { home });
    expect(JSON.parse(stdout)).toMatchObject({ files: { seen: 8, loaded: 8 } });
    const spend = await runPiquet(["sql", "--format", "jsonl", SPEND], { home });
    expect(spend.stdout).toContain('"2026-01-05","model_id":"claude-opus-4-8","cost_usd":0.138900000}');
  });
});
