import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { ConditionalPrice, ModelInfo, ModelPrice } from "@pydantic/genai-prices";
import {
  ALL_REQUESTS,
  always,
  completeTier,
  type GivenRates,
  type Period,
  type Price,
  type Tier,
} from "./price.js";
import { nameInTable } from "./register.js";

const PACKAGE = "@pydantic/genai-prices";

type Lookup = typeof import("@pydantic/genai-prices");

const DAY_MS = 86_400_000;

let loading: Promise<Lookup> | undefined;
let version: string | undefined;

/** Version of the offline table, read without loading its 800 kB. */
export function tableVersion(): string {
  version ??= readVersion();
  return version;
}

function readVersion(): string {
  const entry = createRequire(import.meta.url).resolve(PACKAGE);
  const manifest: unknown = JSON.parse(readFileSync(join(dirname(entry), "..", "package.json"), "utf8"));
  if (typeof manifest === "object" && manifest !== null && "version" in manifest)
    return String(manifest.version);
  throw new Error(`the manifest of ${PACKAGE} has no version`);
}

/** Price of a model in the offline table, or null. Providers are Pi's; the table is loaded at the first call. */
export async function findInTable(provider: string, model: string): Promise<Price | null> {
  const named = nameInTable(provider, model);
  if (named === null) return null;
  loading ??= import("@pydantic/genai-prices");
  const { calcPrice, findProvider } = await loading;
  // The table also matches provider names by their parts, which would price a proxy by the name it chose.
  if (findProvider({ providerId: named.provider })?.id !== named.provider) return null;
  const found = calcPrice({}, named.model, { providerId: named.provider });
  const periods = found === null ? [] : periodsOf(found.model);
  return periods.length === 0 ? null : { source: "genai_prices", version: tableVersion(), periods };
}

/** The table takes the last price whose condition holds, else the first one. */
function periodsOf(model: ModelInfo): readonly Period[] {
  const prices: readonly ConditionalPrice[] = Array.isArray(model.prices)
    ? model.prices
    : [{ prices: model.prices }];
  const periods = prices.map((price, index) => periodOf(index === 0 ? { prices: price.prices } : price));
  return periods.every((period) => period.tiers.length > 0) ? periods : [];
}

function periodOf({ constraint, prices }: ConditionalPrice): Period {
  const tiers = tiersOf(prices);
  if (constraint === undefined) return always(tiers);
  if (constraint.type === "start_date")
    return { ...always(tiers), validFromMs: Date.parse(constraint.start_date) };
  const dayStartMs = timeOfDayMs(constraint.start_time);
  const dayLengthMs = (timeOfDayMs(constraint.end_time) - dayStartMs + DAY_MS) % DAY_MS;
  return { ...always(tiers), dayStartMs, dayLengthMs };
}

function timeOfDayMs(time: string): number {
  return Date.parse(`1970-01-02T${time}`) % DAY_MS;
}

/** Empty where input or output has no token price. A tier rules the whole request, as Pi's do. */
function tiersOf(prices: ModelPrice): readonly Tier[] {
  const starts = Object.values(prices).flatMap((price) =>
    typeof price === "object" ? price.tiers.map((tier) => tier.start) : [],
  );
  const thresholds = [ALL_REQUESTS, ...new Set(starts.toSorted((a, b) => a - b))];
  const tiers = thresholds.map((above) => completeTier(above, ratesAbove(prices, above)));
  return tiers.every((tier) => tier !== null) ? tiers : [];
}

function ratesAbove(prices: ModelPrice, aboveTokens: number): GivenRates {
  const rate = (name: string) => rateAbove(prices[name], aboveTokens);
  const perThousandRequests = rate("requests_kcount");
  return {
    input: rate("input_mtok"),
    output: rate("output_mtok"),
    cacheRead: rate("cache_read_mtok"),
    cacheWrite: rate("cache_write_mtok"),
    cacheWrite1h: rate("cache_write_1h_mtok"),
    reasoning: rate("output_reasoning_mtok"),
    request: perThousandRequests === undefined ? undefined : perThousandRequests / 1000,
  };
}

function rateAbove(price: ModelPrice[string], aboveTokens: number): number | undefined {
  if (typeof price !== "object") return price;
  return price.tiers.findLast((tier) => tier.start <= aboveTokens)?.price ?? price.base;
}
