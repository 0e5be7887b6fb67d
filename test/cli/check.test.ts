import { join, resolve } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { runPiquet } from "../support/run-piquet.js";
import { tempFolder } from "../support/temp-folder.js";

const SAMPLE = resolve("examples/sessions");

async function sampleWarehouse(home: string): Promise<string> {
  await runPiquet(["ingest", "--db", "w.duckdb", "--time-zone", "UTC", SAMPLE], { home });
  return join(home, "w.duckdb");
}

describe("piquet check", () => {
  it("names every check and exits 0 when all hold", async () => {
    const home = tempFolder();
    await sampleWarehouse(home);
    const { stdout, exitCode } = await runPiquet(["check", "--db", "w.duckdb"], { home });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("ok      pi_totals_match_usage\n");
    expect(stdout).not.toContain("FAILED");
  });

  it("exits 3 and shows the rows that break a rule", async () => {
    const home = tempFolder();
    const path = await sampleWarehouse(home);
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    await connection.run(
      "insert into base.rejects by name select file_id, machine, path, 1 as line_number, 0 as byte_offset, 1 as line_bytes, 'invalid_json' as reason, '' as message, 1 as load_id from base.files limit 1",
    );
    connection.closeSync();
    instance.closeSync();
    const { stdout, exitCode } = await runPiquet(["check", "--db", "w.duckdb", "--quick", "--json"], {
      home,
    });
    const results: { name: string; row_count: number; severity: string }[] = JSON.parse(stdout);
    expect([exitCode, results.filter((result) => result.row_count > 0).map((result) => result.name)]).toEqual(
      [3, ["records_are_entries"]],
    );
    expect(results.filter((result) => result.severity !== "cheap")).toEqual([]);
  });
});
