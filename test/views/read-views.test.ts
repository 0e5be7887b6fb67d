import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { orderViews, qualifiedName, readDependencies } from "../../pipeline/views/order-views.js";
import { readHeader } from "../../pipeline/views/read-header.js";
import { readTexts } from "../../pipeline/views/read-texts.js";
import { readViews, type ViewFile } from "../../pipeline/views/read-views.js";
import { quoteText } from "../../schema/ddl.js";

describe("readHeader", () => {
  it("takes the first paragraph, then fields that may run over several lines", () => {
    const text =
      "-- Spend\n-- by day.\n--\n-- grain: a, b\n--\n-- a: First\n-- and more.\n-- b: Second.\nselect\n  1\n";
    expect(readHeader(text, "x.sql")).toEqual({
      description: "Spend by day.",
      fields: [
        { name: "grain", description: "a, b" },
        { name: "a", description: "First and more." },
        { name: "b", description: "Second." },
      ],
      query: "select\n  1",
    });
  });

  it("refuses a query without a description", () => {
    expect(() => readHeader("select 1\n", "x.sql")).toThrow("x.sql has no description");
  });
});

describe("readViews", () => {
  const views = readViews();

  it("finds the views of the contract in their topics", () => {
    const names = views.filter((view) => view.schema === "v1").map((view) => `${view.topic}/${view.name}`);
    expect(names.toSorted()).toEqual([
      "branches/branches",
      "branches/jumps",
      "failures/failed_requests",
      "failures/failure_rate_daily",
      "failures/shell_failures",
      "failures/tool_failures",
      "quality/data_quality",
      "sessions/compactions",
      "sessions/context_entries",
      "sessions/labels",
      "sessions/pi_session_totals",
      "sessions/sessions",
      "spend/session_families",
      "spend/spend_by_model",
      "spend/spend_by_project",
      "spend/spend_by_session",
      "spend/spend_daily",
      "spend/unpriced_usage",
      "tools/skill_usage",
      "tools/tool_usage",
    ]);
  });

  it("lets v1 read core alone", () => {
    const read = views.filter((view) => view.schema === "v1").flatMap((view) => readDependencies(view.query));
    expect(read.filter((name) => !name.startsWith("core."))).toEqual([]);
  });

  it("finds the tables that DuckDB's own parser finds", async () => {
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    for (const view of views) {
      const trees = await readTexts(
        connection,
        `select json_serialize_sql(${quoteText(view.query)})::varchar`,
      );
      const tree = trees.flat().join();
      const tables = Array.from(
        tree.matchAll(/"type":"BASE_TABLE".*?"schema_name":"(\w+)","table_name":"(\w+)"/g),
      ).map((match) => `${match[1]}.${match[2]}`);
      expect([view.name, readDependencies(view.query)]).toEqual([view.name, [...new Set(tables)].toSorted()]);
    }
  });
});

function coreView(name: string, query: string): ViewFile {
  return { schema: "core", name, topic: "", description: name, grain: [], columns: [], query };
}

describe("orderViews", () => {
  it("puts each view after those it reads", () => {
    const ordered = orderViews([
      coreView("c", "select 1 from core.b inner join core.a on true"),
      coreView("b", "select 1 from core.a"),
      coreView("a", "select ' from core.z' from base.usage"),
    ]);
    expect(ordered.map(qualifiedName)).toEqual(["core.a", "core.b", "core.c"]);
  });

  it("refuses views that read each other, and views that are not there", () => {
    const loop = [coreView("a", "select 1 from core.b"), coreView("b", "select 1 from core.a")];
    expect(() => orderViews(loop)).toThrow("views read each other: core.a > core.b");
    expect(() => orderViews([coreView("a", "select 1 from core.z")])).toThrow(
      "core.a reads core.z, which is no view",
    );
  });
});
