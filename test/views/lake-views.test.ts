import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { beforeEach, describe, expect, it } from "vitest";

import { applyViews } from "../../pipeline/views/apply-views.js";
import { lakeViews } from "../../pipeline/views/lake-views.js";
import { runChecks } from "../../pipeline/views/run-checks.js";
import { createTableSql } from "../../schema/ddl.js";
import { tableList } from "../../schema/index.js";
import { type TreeEntry, treeRows } from "../support/tree-rows.js";
import { insertRows, type LooseRow, queryRows } from "../support/warehouse-rows.js";

/** What one machine wrote into the lake. */
interface Share {
  readonly machine: string;
  readonly session: string;
  readonly entries: readonly TreeEntry[];
  /** Cost of each entry that carries usage, by id. */
  readonly costs: Readonly<Record<string, number>>;
}

const desk: Share = {
  machine: "desk",
  session: "s",
  entries: [{ id: "a1" }, { id: "a2" }],
  costs: { a2: 0.1 },
};

let connection: DuckDBConnection;
const ask = (sql: string): Promise<Record<string, unknown>[]> => queryRows(connection, sql);

beforeEach(async () => {
  connection = await (await DuckDBInstance.create(":memory:")).connect();
  // Rows go in by the tables' usual name, which then becomes that of the lake.
  await connection.run("create schema base; create schema lake");
  for (const table of tableList()) await connection.run(createTableSql(table, "base"));
});

async function addShare({ machine, session, entries, costs }: Share): Promise<void> {
  const place = { session_key: session, file_id: `${machine}-${session}`, is_present: true };
  const rows = treeRows(session, entries).map(
    (row): LooseRow => ({
      ...row,
      ...place,
      owner_rank: `${String(999 - entries.length)} ${machine} ${row["entry_seq"]}`,
    }),
  );
  const usage = rows.filter((row) => String(row["entry_id"]) in costs).map((row) => usageRow(row, costs));
  await insertRows(connection, "sessions", [
    {
      ...place,
      machine,
      record_count: entries.length,
      root_session_key: session,
      leaf_entry_seq: entries.length,
    },
  ]);
  await insertRows(connection, "files", [{ ...place, machine, kind: "session" }]);
  await insertRows(connection, "entries", rows);
  await insertRows(connection, "usage", usage);
}

function usageRow(entry: LooseRow, costs: Share["costs"]): LooseRow {
  return {
    session_key: entry["session_key"] ?? null,
    entry_seq: entry["entry_seq"] ?? null,
    file_id: entry["file_id"] ?? null,
    record_key: entry["record_key"] ?? null,
    source: "assistant",
    request_count: 1,
    cost_status: "recorded",
    cost_usd: costs[String(entry["entry_id"])] ?? null,
    is_counted: true,
  };
}

async function openLake(machineCount: number): Promise<void> {
  for (const { name, columns } of tableList()) {
    const machine = "file_id" in columns ? "split_part(file_id, '-', 1)" : "machine";
    await connection.run(
      `create table lake.${name} as select ${machine} as lake_machine, * from base.${name}; drop table base.${name}`,
    );
  }
  for (const view of lakeViews(machineCount)) {
    const kind = view.schema === "lake" ? "table" : "view";
    await connection.run(`create ${kind} ${view.schema}.${view.name} as ${view.query}`);
  }
  await applyViews(connection);
}

describe("lakeViews", () => {
  it("are the tables as they are where one machine writes", async () => {
    await addShare(desk);
    await openLake(1);
    for (const table of tableList()) {
      const columns = (await ask(`describe base.${table.name}`)).map((row) => row["column_name"]);
      expect(columns).toEqual(Object.keys(table.columns));
    }
    expect(await ask("select cost_usd from v1.spend_by_session")).toEqual([{ cost_usd: "0.100000000" }]);
  });

  it("count a session once that two machines hold alike", async () => {
    await addShare(desk);
    await addShare({ ...desk, machine: "laptop" });
    await openLake(2);
    expect(await ask("select session_key, cost_usd from v1.spend_by_session")).toEqual([
      { session_key: "s", cost_usd: "0.100000000" },
    ]);
    expect(await ask("select machine, cost_usd from v1.spend_daily")).toEqual([
      { machine: "desk", cost_usd: "0.100000000" },
    ]);
    expect(await ask("select session_key, is_copy_only from core.sessions order by 1")).toEqual([
      { session_key: "s", is_copy_only: false },
      { session_key: "s@laptop", is_copy_only: true },
    ]);
  });

  it("show a session without a record once", async () => {
    await addShare({ ...desk, entries: [], costs: {} });
    await addShare({ ...desk, machine: "laptop", entries: [], costs: {} });
    await openLake(2);
    expect(await ask("select session_key from v1.sessions")).toEqual([{ session_key: "s" }]);
  });

  it("keep what only the shorter of two diverged sessions holds", async () => {
    await addShare({
      ...desk,
      entries: [...desk.entries, { id: "d3" }, { id: "d4" }],
      costs: { a2: 0.1, d4: 1 },
    });
    await addShare({
      ...desk,
      machine: "laptop",
      entries: [...desk.entries, { id: "l3" }],
      costs: { a2: 0.1, l3: 20 },
    });
    await openLake(2);
    expect(
      await ask("select session_key, cost_usd, copied_cost_usd from v1.spend_by_session order by 1"),
    ).toEqual([
      { session_key: "s", cost_usd: "1.100000000", copied_cost_usd: "0.000000000" },
      { session_key: "s@laptop", cost_usd: "20.000000000", copied_cost_usd: "0.100000000" },
    ]);
    expect(await ask("select session_key, entry_count from v1.sessions order by 1")).toEqual([
      { session_key: "s", entry_count: "4" },
      { session_key: "s@laptop", entry_count: "3" },
    ]);
  });

  it("call abandoned only what every machine that holds it has abandoned", async () => {
    const [first, second] = [{ id: "a1" }, { id: "a2" }];
    await addShare({ ...desk, entries: [first, second, { id: "d3", under: "a1" }, { id: "d4" }] });
    await addShare({ ...desk, machine: "laptop", entries: [first, second, { id: "l3" }] });
    await openLake(2);
    expect(
      await ask("select session_key, abandoned_cost_usd, cost_usd from v1.spend_by_session order by 1"),
    ).toEqual([
      { session_key: "s", abandoned_cost_usd: "0.000000000", cost_usd: "0.100000000" },
      { session_key: "s@laptop", abandoned_cost_usd: "0.000000000", cost_usd: "0.000000000" },
    ]);
  });

  it("hold every check that a warehouse does", async () => {
    await addShare({ ...desk, entries: [...desk.entries, { id: "d3" }] });
    await addShare({ ...desk, machine: "laptop" });
    await addShare({ ...desk, machine: "laptop", session: "other", entries: [{ id: "o1" }] });
    await openLake(2);
    const broken = (await runChecks(connection, { onlyCheap: false })).filter(
      (result) => result.rowCount > 0,
    );
    const ofFiles = ["records_are_entries", "lines_are_accounted_for", "active_branches_end_at_the_leaf"];
    expect(broken.map((result) => result.name).filter((name) => !ofFiles.includes(name))).toEqual([]);
  });
});
