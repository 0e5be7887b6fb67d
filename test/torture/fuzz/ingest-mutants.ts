import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { failedChecks } from "../../support/failed-checks.js";
import { load, queryAll, removeWarehouse, snapshot } from "../../support/proof-warehouse.js";
import { expectedLines } from "./expected-lines.js";
import { type Fault, fault } from "./fault.js";

const NEIGHBOUR = "unharmed.jsonl";

/** Tables whose rows of the unharmed file must not depend on what lies beside it. */
const NEIGHBOUR_ROWS = ["entries", "messages", "tool_calls", "usage"].map(
  (table) => `select * exclude (load_id) from base.${table}
    where file_id in (select file_id from base.files where path like '%${NEIGHBOUR}') order by all`,
);

const LINES = `select parse_filename(path) as name, kind, line_count, reject_count, header_count, blank_line_count,
    (select count(*) from base.entries where entries.file_id = files.file_id) as entry_count
  from base.files where path not like '%${NEIGHBOUR}'`;

/**
 * Loads mutants as session files beside an unharmed one, and all of them again. Gives what went wrong; empty
 * where every line is accounted for, the unharmed file is as it is alone, every check holds, and the second
 * reading gives the same tables.
 */
export async function ingestMutants(
  mutants: readonly Buffer[],
  neighbour: Buffer,
  folder: string,
): Promise<Fault[]> {
  const root = join(folder, "sessions");
  const dbPath = join(folder, "mutants.duckdb");
  mkdirSync(root, { recursive: true });
  removeWarehouse(dbPath);
  writeFileSync(join(root, NEIGHBOUR), neighbour);
  await load(dbPath, [root]);
  const alone = await queryAll(dbPath, NEIGHBOUR_ROWS);
  for (const [index, mutant] of mutants.entries()) writeFileSync(join(root, `mutant-${index}.jsonl`), mutant);
  const report = await load(dbPath, [root]);
  const beside = await queryAll(dbPath, NEIGHBOUR_ROWS);
  const faults = [
    ...(report.files.failed === 0
      ? []
      : [fault("crash", `${report.files.failed} files failed: ${report.warnings.join("; ")}`)]),
    ...(JSON.stringify(alone) === JSON.stringify(beside)
      ? []
      : [fault("other", "the unharmed file has other rows")]),
    ...(await lineFaults(dbPath, mutants)),
    ...(await failedChecks(dbPath)).map((name) => fault("other", `check ${name} fails`)),
  ];
  const once = await snapshot(dbPath);
  await load(dbPath, [root], { isFull: true });
  const again = await snapshot(dbPath);
  const changed = Object.keys(once).filter(
    (table) => JSON.stringify(once[table]) !== JSON.stringify(again[table]),
  );
  return [...faults, ...changed.map((table) => fault("other", `${table} differs after a second reading`))];
}

async function lineFaults(dbPath: string, mutants: readonly Buffer[]): Promise<Fault[]> {
  const [rows = []] = await queryAll(dbPath, [LINES]);
  const byName = new Map(rows.map((row) => [String(row["name"]), row]));
  return [...mutants.entries()].flatMap(([index, mutant]) => {
    const name = `mutant-${index}.jsonl`;
    const row = byName.get(name);
    const { entries, bad } = expectedLines(mutant);
    if (row === undefined) return [fault("lost", `${name}: no row in files`, entries?.length ?? 0)];
    const found = [Number(row["entry_count"]), Number(row["reject_count"])];
    const wanted = [entries?.length ?? found[0], entries === null ? found[1] : bad.length];
    const lost = Math.max(0, (wanted[0] ?? 0) - (found[0] ?? 0));
    const what = `${name}: ${found} entries and rejects, ${wanted} expected`;
    return `${found}` === `${wanted}` ? [] : [fault(lost > 0 ? "lost" : "other", what, lost)];
  });
}
