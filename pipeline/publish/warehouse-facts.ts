import type { DuckDBConnection } from "@duckdb/node-api";
import { SCHEMA_VERSION } from "../../schema/index.js";
import { PipelineError, refuseNewer } from "../errors.js";
import { WAREHOUSE } from "./published-database.js";
import { readRows, readValue } from "./sql.js";

/** What holds for a whole warehouse. */
export interface WarehouseFacts {
  readonly warehouseId: string;
  readonly machine: string;
  readonly timeZone: string;
  /** Number of the last run, whatever came of it; 0 before the first. */
  readonly loadId: number;
}

/** Facts of the attached warehouse. Throws `USAGE` where it is none, `WAREHOUSE_NEWER` for that of a later program. */
export async function readFacts(connection: DuckDBConnection, dbPath: string): Promise<WarehouseFacts> {
  const found = await readValue(
    connection,
    `select count(*) from duckdb_tables() where database_name = '${WAREHOUSE}'
     and (schema_name, table_name) in (('meta', 'settings'), ('base', 'loads'))`,
  );
  const rows =
    found === "2" ? await readRows(connection, `select key, value from ${WAREHOUSE}.meta.settings`) : [];
  const settings = new Map(rows.map(([key, value]) => [key ?? "", value ?? ""]));
  const [warehouseId, machine] = [settings.get("warehouse_id"), settings.get("machine")];
  if (!warehouseId || !machine) {
    throw new PipelineError("USAGE", `${dbPath} is not a warehouse of piquet, or nothing was loaded yet`);
  }
  refuseNewer(dbPath, "schema", Number(settings.get("schema_version") ?? SCHEMA_VERSION), SCHEMA_VERSION);
  const loadId = await readValue(connection, `select max(load_id) from ${WAREHOUSE}.base.loads`);
  return {
    warehouseId,
    machine,
    timeZone: settings.get("time_zone") ?? "UTC",
    loadId: Number(loadId ?? 0),
  };
}
