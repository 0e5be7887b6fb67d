import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { NOTHING, type Paid, paidOf, paidRequests, sumOf } from "../support/paid-requests.js";
import { proofFolder } from "../support/proof-folder.js";
import { load, type ProofRow, query } from "../support/proof-warehouse.js";
import { testDataFolder } from "../support/test-data.js";

/** A paid request as the writer of the corpus noted it when it was made. */
interface LedgerRow {
  readonly file: string;
  readonly kind: string;
  readonly id: string | null;
  readonly cost: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Its file was deleted and no copy is left. */
  readonly lost?: boolean;
  /** The tool result that repeats what stands in the sub-agent's own file. */
  readonly sameAsChildSession?: string;
}

interface Manifest {
  readonly cases: readonly { file: string; driver: string }[];
  readonly ledger: readonly LedgerRow[];
}

const data = testDataFolder();
if (data === null) console.info("skipped: PIQUET_TEST_DATA names no folder with a ledger");

const COUNTED = `select
    sessions.path,
    sessions.is_copy_only,
    count(*) over (partition by sessions.session_id, sessions.header_at) > 1 as has_editions,
    usage.source,
    usage.entry_id,
    usage.cost_usd,
    usage.input_tokens as "input",
    usage.output_tokens as "output",
    usage.cache_read_tokens as "cacheRead",
    usage.cache_write_tokens as "cacheWrite"
  from base.usage inner join base.sessions using (session_key) where usage.is_counted`;

describe.skipIf(data === null)("counted spend of the corpus", () => {
  const corpus = join(data ?? "", "corpus");
  const dbPath = join(proofFolder(), "corpus.duckdb");
  let manifest: Manifest;
  let ledger: LedgerRow[];
  let counted: ProofRow[];
  beforeAll(async () => {
    if (data === null) return;
    manifest = JSON.parse(readFileSync(join(corpus, "manifest.json"), "utf8"));
    ledger = manifest.ledger.filter((row) => !row.lost && row.sameAsChildSession === undefined);
    await load(dbPath, [join(corpus, "agent"), join(corpus, "team-sessions")]);
    counted = await query(dbPath, COUNTED);
  });

  const filesOf = (test: (driver: string) => boolean): Set<string> =>
    new Set(manifest.cases.filter((one) => test(one.driver)).map((one) => join(corpus, one.file)));
  const countedIn = (paths: ReadonlySet<string>): ProofRow[] =>
    counted.filter((row) => paths.has(String(row["path"])));

  it("is the ledger to the last digit, lost requests left out", () => {
    const covered = countedIn(filesOf((driver) => driver === "SessionManager"));
    expect(sumOf(covered.map(paidRow))).toEqual(sumOf(ledger.map(paidLedger)));
  });

  it("has each request of the ledger once", () => {
    const bySource = (rows: readonly ProofRow[], id: string) =>
      rows.filter((row) => row["entry_id"] === id && row["source"] !== "subagent").map(paidRow);
    const named = ledger.flatMap((row) =>
      row.id === null || row.kind === "subagent-details" ? [] : [{ id: row.id, paid: paidLedger(row) }],
    );
    expect(named.length).toBeGreaterThan(270);
    for (const { id, paid } of named) expect([id, bySource(counted, id)]).toEqual([id, [paid]]);
  });

  it("is the ledger's file by file, where the session that made a request is still there alone", () => {
    const names = new Set(ledger.map((row) => row.file));
    const onDisk = new Set(manifest.cases.map((one) => one.file));
    const orphaned = new Set(
      [...onDisk].filter((file) => !names.has(file) || isHeirOrEdition(join(corpus, file))),
    );
    const compared = [...names].filter((file) => onDisk.has(file) && !orphaned.has(file));
    expect(compared.length).toBeGreaterThan(100);
    for (const file of compared) {
      const own = countedIn(new Set([join(corpus, file)]));
      expect([file, sumOf(own.map(paidRow))]).toEqual([
        file,
        sumOf(ledger.filter((row) => row.file === file).map(paidLedger)),
      ]);
    }
  });

  /** Sessions of versions 1 and 2 are there twice; a fork of a deleted parent owns what was its parent's. */
  function isHeirOrEdition(path: string): boolean {
    const [header = ""] = readFileSync(path, "utf8").split("\n");
    const parent = /"parentSession":"[^"]*\/([^"/]+)"/.exec(header)?.[1];
    const isGone = parent !== undefined && !manifest.cases.some((one) => one.file.endsWith(parent));
    return isGone || /--home-dev-(old-v\d|mixed)--/.test(path);
  }

  it("is what a second, plain reading of all other files finds", () => {
    const others = filesOf((driver) => driver !== "SessionManager");
    const plainSum = sumOf(paidRequests([...others]).values());
    expect(sumOf(countedIn(others).map(paidRow))).toEqual(plainSum);
    expect(plainSum.nanoUsd).toBeGreaterThan(NOTHING.nanoUsd);
  });

  it("is what that reading finds in all files together", () => {
    const all = filesOf(() => true);
    expect(sumOf(counted.map(paidRow))).toEqual(sumOf(paidRequests([...all]).values()));
  });
});

function paidLedger(row: LedgerRow): Paid {
  return paidOf({ ...row });
}

function paidRow(row: ProofRow): Paid {
  return {
    nanoUsd: BigInt(String(row["cost_usd"] ?? "0.000000000").replace(".", "")),
    input: BigInt(String(row["input"] ?? 0)),
    output: BigInt(String(row["output"] ?? 0)),
    cacheRead: BigInt(String(row["cacheRead"] ?? 0)),
    cacheWrite: BigInt(String(row["cacheWrite"] ?? 0)),
  };
}
