import type { DuckDBConnection } from "@duckdb/node-api";

import { dictionary } from "../../schema/dictionary.js";
import { tableList } from "../../schema/index.js";
import { readContract } from "./contract.js";
import { CONTRACT_VERSION, readViews } from "./read-views.js";

/** The data dictionary of the open database's views, with types, and of the tables; Markdown. */
export async function readDictionary(connection: DuckDBConnection): Promise<string> {
  const contract = await readContract(connection);
  const views = readViews()
    .filter((view) => view.schema === CONTRACT_VERSION)
    .map((view) => {
      const types = contract.find((candidate) => candidate.view === view.name)?.columns ?? [];
      return {
        ...view,
        columns: view.columns.map((column) => ({
          ...column,
          type: types.find((candidate) => candidate.name === column.name)?.type.toLowerCase() ?? "",
        })),
      };
    });
  return dictionary(tableList(), views);
}
