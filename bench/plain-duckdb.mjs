// Loads a folder of sessions by hand-written SQL: node bench/plain-duckdb.mjs FOLDER DATABASE
import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";

const [folder, database] = process.argv.slice(2);
const sql = readFileSync(new URL("plain-duckdb.sql", import.meta.url), "utf8")
  .replaceAll("{dir}", folder)
  .replaceAll("{db}", database);

const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
const connection = await instance.connect();
for (const statement of sql.split(/;\s*\n/)) {
  if (statement.replaceAll(/--.*\n/g, "").trim() !== "") await connection.run(statement);
}
connection.closeSync();
instance.closeSync();
