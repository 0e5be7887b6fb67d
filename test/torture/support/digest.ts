import { createHash } from "node:crypto";
import { snapshot } from "../../support/proof-warehouse.js";

/** The base tables in a few characters each: `<rows> <hash of all of them>`. */
export async function digest(dbPath: string): Promise<Record<string, string>> {
  const tables = Object.entries(await snapshot(dbPath));
  return Object.fromEntries(
    tables.map(([name, rows]) => [
      name,
      `${rows.length} ${createHash("sha1").update(rows.join("\n")).digest("hex")}`,
    ]),
  );
}
