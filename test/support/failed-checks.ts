import { DuckDBInstance } from "@duckdb/node-api";
import { runChecks } from "../../pipeline/views/run-checks.js";

/** Every check of the package over a warehouse file: those that find rows, with the first of these. */
export async function failedChecks(dbPath: string): Promise<string[]> {
  const instance = await DuckDBInstance.create(dbPath, { access_mode: "READ_ONLY", threads: "1" });
  const connection = await instance.connect();
  try {
    const results = await runChecks(connection, { onlyCheap: false });
    return results
      .filter((result) => result.rowCount > 0)
      .map(
        (result) =>
          `${result.name}: ${JSON.stringify(result.rows.slice(0, 2), (_key, value) => (typeof value === "bigint" ? String(value) : value))}`,
      );
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
