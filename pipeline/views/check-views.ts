import type { DuckDBConnection } from "@duckdb/node-api";

import { quoteName } from "../../schema/ddl.js";
import { qualifiedName } from "./order-views.js";
import { readViews, type ViewFile } from "./read-views.js";

export interface GrainViolation {
  /** `schema.name` of the view. */
  readonly view: string;
  readonly grain: readonly string[];
  /** Values of the grain that more than one row has. */
  readonly repeatedCount: number;
}

/** Views in which rows share a grain; NULL counts as a value. Public views by default. */
export async function checkViews(
  connection: DuckDBConnection,
  views: readonly ViewFile[] = readViews().filter((view) => view.schema !== "core"),
): Promise<GrainViolation[]> {
  const violations: GrainViolation[] = [];
  for (const view of views) {
    const reader = await connection.runAndReadAll(grainSql(view));
    const repeatedCount = Number(reader.getRowsJson()[0]?.[0] ?? 0);
    if (repeatedCount > 0) violations.push({ view: qualifiedName(view), grain: view.grain, repeatedCount });
  }
  return violations;
}

function grainSql(view: ViewFile): string {
  const grain = view.grain.map(quoteName).join(", ");
  const repeated = `select ${grain} from ${qualifiedName(view)} group by ${grain} having count(*) > 1`;
  return `select count(*) from (${repeated})`;
}
