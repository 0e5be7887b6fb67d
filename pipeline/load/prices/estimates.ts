import { createHash } from "node:crypto";
import type { DuckDBConnection } from "@duckdb/node-api";
import { readSettings, writeSetting } from "../meta-settings.js";
import { loadSql, queryRows, runLoadSql, textOf } from "../sql.js";
import { tableVersion } from "./genai-prices.js";
import { readModelsFiles } from "./models-files.js";
import type { ModelsJson } from "./models-json.js";
import type { UsedModel } from "./paid-model.js";
import { type PricedModel, writePrices } from "./price-rows.js";
import { registerText } from "./register.js";
import { resolvePrice } from "./resolve.js";

const SETTING = "price_inputs";

/** Changes with the formula in `price_rows.sql`, so that an upgrade estimates all rows anew. */
const FORMULA = 1;

export interface EstimateOptions {
  /** As `findModelsFiles` gives them, the strongest first. */
  readonly modelsPaths: readonly string[];
  /** Whether this run added or changed rows of `usage`; without that and with the same prices nothing is done. */
  readonly rowsChanged: boolean;
}

export interface EstimateOutcome {
  /** Rows whose estimate is now another one, those that lost theirs included. */
  readonly pricedRows: number;
  readonly inputsChanged: boolean;
  /** models.json files that could not be used. */
  readonly warnings: readonly string[];
}

/**
 * Fills the estimate of every row of `base.usage` that has no recorded cost above 0, rows that are gone and
 * copies included, and clears that of the others. Runs in the load's transaction, with `base.usage` and
 * `meta.settings` found by the current catalog; keeps a hash of the price tables in the setting
 * `price_inputs`.
 */
export async function applyEstimates(
  connection: DuckDBConnection,
  options: EstimateOptions,
): Promise<EstimateOutcome> {
  const { files, warnings } = await readModelsFiles(options.modelsPaths);
  const inputs = hashOfInputs(files);
  const inputsChanged = (await readSettings(connection)).get(SETTING) !== inputs;
  if (!inputsChanged && !options.rowsChanged) return { pricedRows: 0, inputsChanged, warnings };

  await runLoadSql(connection, "estimates/create_prices");
  await writePrices(connection, await resolveAll(await readUsedModels(connection), files));
  await runLoadSql(connection, "estimates/price_rows");
  const applied = await connection.run(loadSql("estimates/apply_estimates"));
  await runLoadSql(connection, "estimates/drop_prices");
  await runLoadSql(connection, "estimates/drop_rows");
  if (inputsChanged) await writeSetting(connection, SETTING, inputs);
  return { pricedRows: applied.rowsChanged, inputsChanged, warnings };
}

async function readUsedModels(connection: DuckDBConnection): Promise<UsedModel[]> {
  const rows = await queryRows(connection, loadSql("estimates/used_models"));
  return rows.map((row) => ({
    provider: textOf(row, "provider"),
    model: textOf(row, "model_id"),
    responseModel: textOf(row, "response_model"),
  }));
}

async function resolveAll(used: readonly UsedModel[], files: readonly ModelsJson[]): Promise<PricedModel[]> {
  const priced: PricedModel[] = [];
  for (const model of used) {
    const resolved = await resolvePrice(model, files);
    if (resolved !== null) priced.push({ ...model, ...resolved });
  }
  return priced;
}

function hashOfInputs(files: readonly ModelsJson[]): string {
  const inputs = [FORMULA, tableVersion(), registerText(), files.map((file) => file.version)];
  return createHash("sha256").update(JSON.stringify(inputs)).digest("hex");
}
