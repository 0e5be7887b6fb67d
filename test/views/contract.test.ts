import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";

import { applyViews } from "../../pipeline/views/apply-views.js";
import { baseDdl, contractBreaks, readContract, type ViewContract } from "../../pipeline/views/contract.js";
import { readDictionary } from "../../pipeline/views/read-dictionary.js";
import { readViews } from "../../pipeline/views/read-views.js";
import { SCHEMA_VERSION } from "../../schema/index.js";
import { openEmptyWarehouse } from "../support/warehouse-rows.js";

const PORTABLE_TYPES = [
  "BIGINT",
  "INTEGER",
  "DECIMAL(18,9)",
  "BOOLEAN",
  "VARCHAR",
  "DATE",
  "TIMESTAMP WITH TIME ZONE",
];

let contract: ViewContract[];
let docs: string;

beforeAll(async () => {
  const connection = await openEmptyWarehouse();
  await applyViews(connection);
  contract = await readContract(connection);
  docs = await readDictionary(connection);
});

describe("the public contract", () => {
  it("describes every column, in the order of the query, and the grain is among them", () => {
    for (const view of readViews().filter(({ schema }) => schema === "v1")) {
      const columns = contract.find((candidate) => candidate.view === view.name)?.columns ?? [];
      const names = columns.map((column) => column.name);
      expect([view.name, view.columns.map((column) => column.name)]).toEqual([view.name, names]);
      expect(view.columns.filter((column) => column.description === "")).toEqual([]);
      expect(names).toEqual(expect.arrayContaining([...view.grain]));
    }
  });

  it("has types that every reader of Parquet handles, and doubles only for shares and Pi's own sums", () => {
    const odd = contract.flatMap((view) =>
      view.columns
        .filter(({ type }) => !PORTABLE_TYPES.includes(type))
        .filter(({ name }) => !name.endsWith("_share") && view.view !== "pi_session_totals")
        .map((column) => `${view.view}.${column.name} ${column.type}`),
    );
    expect(odd).toEqual([]);
  });

  it("is the one of the golden file (`npm run golden` writes it; what breaks it is a new version)", () => {
    const golden: ViewContract[] = JSON.parse(readFileSync("test/golden/v1.json", "utf8"));
    expect(contractBreaks(golden, contract)).toEqual([]);
    expect(contract).toEqual(golden);
  });
});

describe("golden files and documents", () => {
  it("show the tables as they are (`npm run golden`)", () => {
    expect(readFileSync("test/golden/base.sql", "utf8")).toBe(baseDdl());
  });

  it("hold the tables of this schema version (`npm run golden`; a released one needs a new version)", () => {
    const released = readFileSync(`test/golden/versions/${SCHEMA_VERSION}.sql`, "utf8");
    expect(released.slice(released.indexOf("\n\n") + 2)).toBe(baseDdl());
  });

  it("hold the data dictionary as it is (`npm run docs`)", () => {
    expect(readFileSync("docs/data-dictionary.md", "utf8")).toBe(docs);
  });
});

describe("contractBreaks", () => {
  const older = [{ view: "a", grain: ["x"], columns: [{ name: "x", type: "BIGINT" }] }];

  it("allows views and columns at the end", () => {
    const column = { name: "y", type: "DATE" };
    const newer = older.map((view) => ({ ...view, columns: [...view.columns, column] }));
    expect(contractBreaks(older, [...newer, { view: "b", grain: [], columns: [] }])).toEqual([]);
  });

  it("names what is gone, moved, retyped or regrouped", () => {
    expect(contractBreaks(older, [])).toEqual(["a is gone"]);
    expect(
      contractBreaks(older, [{ view: "a", grain: ["y"], columns: [{ name: "x", type: "DATE" }] }]),
    ).toEqual(["a has another grain", "a.x was BIGINT, is DATE"]);
    expect(contractBreaks(older, [{ view: "a", grain: ["x"], columns: [] }])).toEqual([
      "a.x is gone or has another place",
    ]);
  });
});
