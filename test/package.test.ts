import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface Manifest {
  readonly license: string;
  readonly type: string;
  readonly engines: { readonly node: string };
  readonly bin: { readonly piquet: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const manifest: Manifest = JSON.parse(readFileSync("package.json", "utf8"));
const dependencies = { ...manifest.dependencies, ...manifest.devDependencies };

describe("package.json", () => {
  it.each(Object.entries(dependencies))("pins %s to one version", (_name, version) => {
    expect(version).toMatch(/^\d+\.\d+\.\d+(-r\.\d+)?$/);
  });

  it("pins both halves of DuckDB to the same version, since load/ uses each", () => {
    expect(dependencies["@duckdb/node-bindings"]).toBe(dependencies["@duckdb/node-api"]);
  });

  it("says licence, module system and the oldest Node", () => {
    expect([manifest.license, manifest.type, manifest.engines.node]).toEqual(["MIT", "module", ">=20.19"]);
    expect(readFileSync("LICENSE", "utf8")).toMatch(
      /^MIT License\n\nCopyright \(c\) \d{4} The Piquet authors\n/,
    );
  });

  it("names a program that the build makes", () => {
    expect(existsSync(manifest.bin.piquet)).toBe(true);
  });
});

describe("package-lock.json", () => {
  it("names no host, so that any registry will do", () => {
    expect(readFileSync("package-lock.json", "utf8")).not.toContain('"resolved"');
  });
});
