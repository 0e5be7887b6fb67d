import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { applyViews } from "../dist/pipeline/views/apply-views.js";
import { baseDdl, contractBreaks, readContract } from "../dist/pipeline/views/contract.js";
import { readDictionary } from "../dist/pipeline/views/read-dictionary.js";
import { SCHEMA_VERSION } from "../dist/schema/index.js";

const VIEWS_PATH = "test/golden/v1.json";
const VERSION_PATH = `test/golden/versions/${SCHEMA_VERSION}.sql`;

async function openWarehouse() {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`create schema base; ${baseDdl()}`);
  await applyViews(connection);
  return connection;
}

async function writeGolden(connection) {
  // A golden file written by the job that compares with it would never fail.
  if (process.env.CI) throw new Error("golden files are not written where CI is set");
  mkdirSync("test/golden/versions", { recursive: true });
  writeFileSync("test/golden/base.sql", baseDdl());
  writeVersion();
  const contract = await readContract(connection);
  const older = existsSync(VIEWS_PATH) ? JSON.parse(readFileSync(VIEWS_PATH, "utf8")) : [];
  const breaks = contractBreaks(older, contract);
  if (breaks.length > 0) throw new Error(`this is a new contract version: ${breaks.join("; ")}`);
  writeFileSync(VIEWS_PATH, `${JSON.stringify(contract, null, 2)}\n`);
}

/** The tables of each schema version as they were released: what migrations start from. */
function writeVersion() {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const held = existsSync(VERSION_PATH) ? readFileSync(VERSION_PATH, "utf8") : "";
  if (held.endsWith(`\n\n${baseDdl()}`)) return;
  const by = /by piquet (\d+\.\d+\.\d+)/.exec(held)?.[1] ?? version;
  if (!readFileSync("CHANGELOG.md", "utf8").includes(`## ${by} (not yet released)`))
    throw new Error(`${VERSION_PATH} is released with piquet ${by}: raise SCHEMA_VERSION in schema/index.ts`);
  writeFileSync(
    VERSION_PATH,
    `-- Tables of schema version ${SCHEMA_VERSION}, first released by piquet ${version}.\n\n${baseDdl()}`,
  );
}

async function writeDocs(connection) {
  mkdirSync("docs", { recursive: true });
  writeFileSync("docs/data-dictionary.md", await readDictionary(connection));
}

const connection = await openWarehouse();
if (process.argv.includes("golden")) await writeGolden(connection);
if (process.argv.includes("docs")) await writeDocs(connection);
