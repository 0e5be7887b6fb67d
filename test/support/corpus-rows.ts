import { join } from "node:path";
import { beforeAll } from "vitest";
import { proofFolder } from "./proof-folder.js";
import { load, type ProofRow, queryAll } from "./proof-warehouse.js";
import { testDataFolder } from "./test-data.js";

/**
 * Loads the corpus before the tests of a block, and asks it these queries, each with a column `path`. Gives the
 * rows of a query for a file, which is named as in the answers beside the corpus; none without test data.
 */
export function corpusRows<Kind extends string>(
  queries: Readonly<Record<Kind, string>>,
): (kind: NoInfer<Kind>, file: string) => ProofRow[] {
  const data = testDataFolder();
  const corpus = join(data ?? "", "corpus");
  const dbPath = join(proofFolder(), "corpus.duckdb");
  const rows = new Map<string, ProofRow[]>();
  beforeAll(async () => {
    if (data === null) return;
    await load(dbPath, [join(corpus, "agent"), join(corpus, "team-sessions")]);
    const kinds = Object.entries<string>(queries);
    const results = await queryAll(
      dbPath,
      kinds.map(([, sql]) => sql),
    );
    for (const [index, [kind]] of kinds.entries()) {
      for (const row of results[index] ?? []) {
        const key = `${kind}:${row["path"]}`;
        rows.set(key, [...(rows.get(key) ?? []), row]);
      }
    }
  });
  return (kind, file) => rows.get(`${kind}:${join(corpus, file)}`) ?? [];
}
