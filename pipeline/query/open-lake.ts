import { existsSync } from "node:fs";
import type { DuckDBConnection } from "@duckdb/node-api";
import { PipelineError } from "../errors.js";

/** A lake as its manifests stood when they were read. */
export interface LakeSource {
  /** Every file that a query may read. */
  readonly files: readonly string[];
  /** Creates the views over them, in an empty database. */
  readonly statements: readonly string[];
}

/** A lake may be published anew between the reading of its manifests and that of its files. */
const MOST_ATTEMPTS = 3;

/** Makes the views of a lake in the open database, which is empty. Gives the files they read. */
export async function createLakeViews(
  connection: DuckDBConnection,
  read: () => Promise<LakeSource>,
): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt += 1) {
    const source = await read();
    const missing = source.files.find((file) => !existsSync(file));
    if (missing === undefined) {
      await connection.run(source.statements.join(";\n"));
      return source.files;
    }
    if (attempt === MOST_ATTEMPTS) {
      throw new PipelineError("FAILED", `the manifest names a file that is not there: ${missing}`);
    }
  }
}
