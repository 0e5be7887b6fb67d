import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteText } from "../../schema/ddl.js";
import { dayInZone } from "./insert-sql.js";
import { runLoadSql } from "./sql.js";

/** Names the zone of days for the statements of this connection. */
export async function setTimeZone(connection: DuckDBConnection, timeZone: string): Promise<void> {
  await connection.run(`set variable time_zone = ${quoteText(timeZone)}`);
}

/** Works out the days of all rows anew, gone ones included, in the zone that the session variable names. */
export async function setDays(connection: DuckDBConnection): Promise<void> {
  const times = { messages: "entry_at", tool_calls: "started_at", usage: "occurred_at" };
  for (const [table, instant] of Object.entries(times)) {
    await runLoadSql(connection, "set_days", { table, day: dayInZone(instant) });
  }
}
