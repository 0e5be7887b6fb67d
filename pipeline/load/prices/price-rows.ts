import type { DuckDBAppender, DuckDBConnection } from "@duckdb/node-api";
import type { UsedModel } from "./paid-model.js";
import type { Period, Tier } from "./price.js";
import type { ResolvedPrice } from "./resolve.js";

export interface PricedModel extends UsedModel, ResolvedPrice {}

type Value = string | number | null;

/**
 * Writes one row per period and tier of each price into the temporary table `estimate_prices`. Of the rows
 * that hold for a request the one with the highest rank is its price.
 */
export async function writePrices(
  connection: DuckDBConnection,
  priced: readonly PricedModel[],
): Promise<void> {
  const appender = await connection.createAppender("estimate_prices", "main", "temp");
  for (const [rank, row] of priced.flatMap(rowsOf).entries()) appendRow(appender, [rank, ...row]);
  appender.closeSync();
}

/**
 * Rising periods and tiers. A price without periods is one row without rates. An address is local whichever
 * model answered, so it bears no mark.
 */
function rowsOf({ provider, model, responseModel, price, isByAnswer }: PricedModel): Value[][] {
  const source =
    isByAnswer && price.source !== "local_address" ? `${price.source}:response_model` : price.source;
  const key = [provider, model, responseModel, source, price.version];
  if (price.periods.length === 0) return [[...key, ...limitsOf(null, null), ...ratesOf(null)]];
  return price.periods.flatMap((period) =>
    period.tiers
      .toSorted((a, b) => a.aboveTokens - b.aboveTokens)
      .map((tier) => [...key, ...limitsOf(period, tier), ...ratesOf(tier)]),
  );
}

function limitsOf(period: Period | null, tier: Tier | null): Value[] {
  return [
    period?.validFromMs ?? null,
    period?.dayStartMs ?? null,
    period?.dayLengthMs ?? null,
    tier?.aboveTokens ?? null,
  ];
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
