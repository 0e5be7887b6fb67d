import { describe, expect, it } from "vitest";
import { parseManifest } from "../../pipeline/publish/manifest.js";

const FILE = {
  path: "base/usage/month=2026-01/ada~1f-1.2.parquet",
  relation: "base.usage",
  month: "2026-01",
};
const MANIFEST = {
  kind: "piquet-manifest",
  manifest_version: 1,
  schema_version: 1,
  machine: "ada",
  relations: { "base.usage": { cost_usd: "decimal(18,9)", provider: "varchar" } },
  files: [FILE],
};

function parse(changes: object): unknown {
  return parseManifest(JSON.stringify({ ...MANIFEST, ...changes }), "/lake/manifest/ada.json");
}

describe("parseManifest", () => {
  it("takes what this program writes", () => {
    expect(parse({})).toEqual(MANIFEST);
  });

  it.each([
    ["a path out of the lake", { files: [{ ...FILE, path: "base/../../ada/.ssh/a.parquet" }] }],
    ["an absolute path", { files: [{ ...FILE, path: "/etc/a.parquet" }] }],
    ["an address", { files: [{ ...FILE, path: "s3://other/base/a.parquet" }] }],
    ["a pattern", { files: [{ ...FILE, path: "base/usage/*.parquet" }] }],
    ["a file of another kind", { files: [{ ...FILE, path: "base/usage/a.csv" }] }],
    ["SQL as a type", { relations: { "base.usage": { a: "integer); copy (select 1) to 'a' --" } } }],
    ["columns that are a list", { relations: { "base.usage": ["varchar"] } }],
    ["no files", { files: undefined }],
    ["no relations", { relations: null }],
    ["a machine that is no text", { machine: 7 }],
  ])("refuses %s", (_what, changes) => {
    expect(() => parse(changes)).toThrow(
      "/lake/manifest/ada.json names files or types that no lake of piquet has",
    );
  });
});
