import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { withMemory } from "../support/lake.js";
import { runPiquet } from "../support/run-piquet.js";
import { tempFolder } from "../support/temp-folder.js";
import { testDataFolder } from "../support/test-data.js";
import { type Comparison, compareWithClickHouse, openClickHouse } from "./support/clickhouse.js";
import { type S3Server, startS3 } from "./support/s3-server.js";

const problem = inject("containerProblem");
const clickhouse = problem === "" ? await openClickHouse() : null;
const data = testDataFolder();
const NOTHING: Comparison = { cells: 0, differing: 0, views: [] };

describe.skipIf(clickhouse === null)("ClickHouse over a bucket", () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3();
  });
  afterAll(() => server?.stop());

  /** Answers of a warehouse against those of ClickHouse over what was published from it. */
  async function compare(name: string, sessions: readonly string[]): Promise<Comparison> {
    const home = tempFolder();
    const lake = `s3://lake/${name}`;
    const run = async (...args: string[]): Promise<string> => {
      const { exitCode, stdout } = await runPiquet(args, { home, env: server.env });
      expect([0, 3]).toContain(exitCode);
      return stdout;
    };
    await run("ingest", "--machine", "ada-laptop", "--db", "w.duckdb", "--quiet", ...sessions);
    await run("publish", "--db", "w.duckdb", "--to", lake, "--content", "full", "--quiet");
    clickhouse?.runAll(await run("ddl", "--engine", "clickhouse", "--lake", lake));
    const comparison = await withMemory(async (connection) => {
      await connection.run(`attach '${join(home, "w.duckdb")}' as w (read_only)`);
      return clickhouse === null ? NOTHING : await compareWithClickHouse(connection, "w", clickhouse, home);
    });
    const cells = comparison.cells.toLocaleString("en");
    process.stderr.write(`${name} from S3: ${cells} cells compared, ${comparison.differing} differ\n`);
    return comparison;
  }

  it("answers every public view of the sample as the warehouse does", async () => {
    const { cells, differing, views } = await compare("sample", [resolve("examples/sessions")]);
    expect({ differing, views }).toEqual({ differing: 0, views: [] });
    expect(cells).toBeGreaterThan(500);
  });

  it.skipIf(data === null)("answers every public view of the corpus as the warehouse does", async () => {
    const roots = ["agent", "team-sessions"].map((root) => join(data ?? "", "corpus", root));
    const { cells, differing, views } = await compare("corpus", roots);
    expect({ differing, views }).toEqual({ differing: 0, views: [] });
    expect(cells).toBeGreaterThan(10_000);
  });
});
