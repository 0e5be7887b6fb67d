import { rmSync } from "node:fs";
import { join } from "node:path";
import type { LoadReport } from "../../pipeline/flow.js";
import { plain } from "./case-answers.js";
import { proofFolder } from "./proof-folder.js";
import {
  copyEmptyWarehouse,
  countedCost,
  failedChecks,
  type LoadOptions,
  load,
  type ProofRow,
  query,
  snapshot,
  valueOf,
} from "./proof-warehouse.js";
import { tempFolder } from "./temp-folder.js";
import { type Line, session, writeSession } from "./world-sessions.js";

/** Session files by path below the sessions folder. */
export type Files = Readonly<Record<string, readonly Line[]>>;

/** A sessions folder and a warehouse of one test. */
export interface ProofWorld {
  readonly folder: string;
  readonly sessions: string;
  readonly dbPath: string;
  write(files: Files): void;
  remove(...paths: readonly string[]): void;
  load(options?: LoadOptions, roots?: readonly string[]): Promise<LoadReport>;
  /** Counted spend in dollars, as its shortest digits. */
  cost(): Promise<unknown>;
  rows(sql: string): Promise<ProofRow[]>;
  value(sql: string): Promise<unknown>;
}

export function openWorld(): ProofWorld {
  const folder = tempFolder();
  const sessions = join(folder, "sessions");
  const dbPath = join(folder, "w.duckdb");
  return {
    folder,
    sessions,
    dbPath,
    write: (files) => {
      for (const [path, lines] of Object.entries(files)) writeSession(join(sessions, path), lines);
    },
    remove: (...paths) => {
      for (const path of paths) rmSync(join(sessions, path), { recursive: true, force: true });
    },
    load: (options, roots = [sessions]) => load(dbPath, roots, options),
    cost: async () => plain(await countedCost(dbPath)),
    rows: async (sql) => (await query(dbPath, sql)).map((row) => Object.fromEntries(plainEntries(row))),
    value: async (sql) => plain(await valueOf(dbPath, sql)),
  };
}

function plainEntries(row: ProofRow): [string, unknown][] {
  return Object.entries(row).map(([name, value]) => [name, plain(value)]);
}

/** A world that holds these files and `b.jsonl`, a session of half a dollar, and has loaded them. */
export async function loadedWorld(files: Files): Promise<ProofWorld> {
  const world = openWorld();
  world.write({ "b.jsonl": session("s0000002", 100, 0.5), ...files });
  await world.load();
  return world;
}

const shared = proofFolder();

export interface Loaded extends ProofWorld {
  /** What each other order and grouping of runs gave: the same tables, or other rows, or failed checks. */
  readonly orders: readonly unknown[];
}

/**
 * Loads the files in one run, then, into other warehouses, one after the other in both orders, a run each.
 * The orders that gave other tables are given back with them.
 */
export async function loadInAllOrders(files: Files, options?: LoadOptions): Promise<Loaded> {
  const world = openWorld();
  world.write(files);
  await copyEmptyWarehouse(world.dbPath, shared);
  await world.load(options);
  const together = await snapshot(world.dbPath);
  const orders: unknown[] = [];
  const failed = await failedChecks(world.dbPath);
  if (failed.length > 0) orders.push(failed);
  const paths = Object.keys(files);
  for (const order of paths.length > 1 ? [paths, paths.toReversed()] : []) {
    const otherPath = join(world.folder, "other.duckdb");
    await copyEmptyWarehouse(otherPath, shared);
    rmSync(world.sessions, { recursive: true });
    for (const path of order) {
      world.write({ [path]: files[path] ?? [] });
      await load(otherPath, [world.sessions], options);
    }
    orders.push(difference(together, await snapshot(otherPath)));
  }
  return { ...world, orders };
}

/** Rows that one of two snapshots lacks, by table. */
export function difference(
  one: Record<string, string[]>,
  other: Record<string, string[]>,
): Record<string, string[]> | "the same tables" {
  const differing = Object.keys(one).flatMap((table) => {
    const [a, b] = [one[table] ?? [], other[table] ?? []];
    const lost = a.filter((row) => !b.includes(row)).map((row) => `- ${row}`);
    const found = b.filter((row) => !a.includes(row)).map((row) => `+ ${row}`);
    const rows: [string, string[]] = [table, [...lost, ...found]];
    return rows[1].length === 0 ? [] : [rows];
  });
  return differing.length === 0 ? "the same tables" : Object.fromEntries(differing);
}
