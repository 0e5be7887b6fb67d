import type { DuckDBAppender, DuckDBConnection } from "@duckdb/node-api";
import type { UsedModel } from "./paid-model.js";
import type { Period, Tier } from "./price.js";
import type { ResolvedPrice } from "./resolve.js";

export interface PricedModel extends UsedModel, ResolvedPrice {}

type Value = string | number | null;

/** Writes one row per period and tier of a price into the temporary table `estimate_prices`. */
export async function writePrices(
  connection: DuckDBConnection,
  priced: readonly PricedModel[],
): Promise<void> {
  const appender = await connection.createAppender("estimate_prices", "main", "temp");
  for (const row of priced.flatMap(rowsOf)) appendRow(appender, row);
  appender.closeSync();
}

/** A price without periods is one row without rates. */
function rowsOf({ provider, model, responseModel, price, isByAnswer }: PricedModel): Value[][] {
  const source = isByAnswer ? `${price.source}:response_model` : price.source;
  const key = [provider, model, responseModel, source, price.version];
  if (price.periods.length === 0) return [[...key, 0, null, null, null, null, ...ratesOf(null)]];
  return price.periods.flatMap((period, rank) =>
    period.tiers.map((tier) => [...key, rank, ...limitsOf(period, tier), ...ratesOf(tier)]),
  );
}

function limitsOf(period: Period, tier: Tier): Value[] {
  return [period.validFromMs, period.dayStartMs, period.dayEndMs, tier.aboveTokens];
}

function ratesOf(tier: Tier | null): Value[] {
  return [
    tier?.input ?? null,
    tier?.output ?? null,
    tier?.cacheRead ?? null,
    tier?.cacheWrite ?? null,
    tier?.cacheWrite1h ?? null,
    tier?.reasoning ?? null,
    tier?.request ?? null,
  ];
}

/** The table's numbers are all DOUBLE: thresholds and instants stay far below 2^53. */
function appendRow(appender: DuckDBAppender, row: readonly Value[]): void {
  for (const value of row) {
    if (value === null) appender.appendNull();
    else if (typeof value === "string") appender.appendVarchar(value);
    else appender.appendDouble(value);
  }
  appender.endRow();
}
