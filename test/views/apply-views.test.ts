import type { DuckDBConnection } from "@duckdb/node-api";
import { beforeEach, describe, expect, it } from "vitest";

import { applyViews } from "../../pipeline/views/apply-views.js";
import { readViews, type ViewFile } from "../../pipeline/views/read-views.js";
import { openEmptyWarehouse, queryRows } from "../support/warehouse-rows.js";

const LIST =
  "select schema_name || '.' || view_name as name, comment from duckdb_views() where schema_name in ('core', 'v1') order by all";

function small(name: string, query: string): ViewFile {
  const columns = [{ name: "n", description: "It's a number." }];
  return { schema: "v1", name, topic: "", description: "What's there.", grain: ["n"], columns, query };
}

describe("applyViews", () => {
  let connection: DuckDBConnection;

  beforeEach(async () => {
    connection = await openEmptyWarehouse();
  });

  it("creates every view of the package, and each can be queried", async () => {
    await applyViews(connection);
    for (const view of readViews()) {
      expect(await queryRows(connection, `select * from ${view.schema}.${view.name}`)).toBeInstanceOf(Array);
    }
  });

  it("leaves descriptions as comments on views and columns", async () => {
    await applyViews(connection, { views: [small("a", "select 1 as n")] });
    expect(await queryRows(connection, LIST)).toEqual([{ name: "v1.a", comment: "What's there." }]);
    expect(
      await queryRows(
        connection,
        "select comment from duckdb_columns() where table_name = 'a' and schema_name = 'v1'",
      ),
    ).toEqual([{ comment: "It's a number." }]);
  });

  it("does nothing when no text changed, and drops views that are no longer there", async () => {
    const [a, b] = [small("a", "select 1 as n"), small("b", "select 2 as n")];
    await applyViews(connection, { views: [a, b] });
    const first = await queryRows(connection, "from meta.views");
    await applyViews(connection, { views: [a, b] });
    expect(await queryRows(connection, "from meta.views")).toEqual(first);

    await applyViews(connection, { views: [small("b", "select 3 as n")] });
    expect((await queryRows(connection, LIST)).map((row) => row["name"])).toEqual(["v1.b"]);
    expect(await queryRows(connection, "from v1.b")).toEqual([{ n: 3 }]);
  });

  it("makes a view again that someone dropped", async () => {
    const views = [small("a", "select 1 as n")];
    await applyViews(connection, { views });
    await connection.run("drop view v1.a");
    await applyViews(connection, { views });
    expect(await queryRows(connection, "from v1.a")).toEqual([{ n: 1 }]);
  });

  it("is undone with the caller's transaction", async () => {
    await applyViews(connection, { views: [small("a", "select 1 as n")] });
    await connection.run("begin");
    await applyViews(connection, { views: [small("a", "select 2 as n")] });
    await connection.run("rollback");
    expect(await queryRows(connection, "from v1.a")).toEqual([{ n: 1 }]);
  });
});
