import { createHash } from "node:crypto";
import { isLocalAddress } from "./local-address.js";
import { ALL_REQUESTS, completeTier, type GivenRates, layOver, type Rates, type Tier } from "./price.js";
import { presentId } from "./register.js";

interface GivenTier extends GivenRates {
  readonly aboveTokens: number;
}

/** Costs as a file has them; `tiers` replace those of the price that they are laid over. */
export interface GivenCost extends GivenRates {
  readonly tiers?: readonly GivenTier[];
}

interface ModelPrices {
  readonly cost: GivenCost | null;
  readonly isLocal: boolean | null;
}

export interface ProviderPrices {
  readonly isLocal: boolean | null;
  readonly models: ReadonlyMap<string, ModelPrices>;
  readonly overrides: ReadonlyMap<string, GivenCost>;
}

/** What a models.json says of prices. `version` is 12 hex digits of a hash over exactly that. */
export interface ModelsJson {
  readonly version: string;
  readonly providers: ReadonlyMap<string, ProviderPrices>;
}

/**
 * Reads base URLs, model ids and costs of a models.json, and nothing else: the file may hold keys. Line
 * comments and commas before a closing bracket are let pass, as Pi does. Null where it is no JSON object.
 */
export function parseModelsJson(text: string): ModelsJson | null {
  const parsed = parseTolerant(text);
  if (!isRecord(parsed)) return null;
  const providers = new Map(
    recordEntries(parsed["providers"]).map(([id, provider]) => [presentId(id), readProvider(provider)]),
  );
  const content = JSON.stringify([...providers], (_key, value) =>
    value instanceof Map ? [...value] : value,
  );
  return { version: createHash("sha256").update(content).digest("hex").slice(0, 12), providers };
}

/** Rates from a cost alone: the base and its tiers in rising order, or null where input or output lacks. */
export function tiersOfCost(cost: GivenCost): readonly Tier[] | null {
  const base = completeTier(ALL_REQUESTS, cost);
  if (base === null) return null;
  return [base, ...tiersAbove(base, cost.tiers ?? [])];
}

/** Tiers over a base; a rate that a tier lacks is the base's. */
export function tiersAbove(base: Rates, tiers: readonly GivenTier[]): readonly Tier[] {
  return tiers.map((tier) => ({ ...layOver(base, tier), aboveTokens: tier.aboveTokens }));
}

export function isAboveZero(cost: GivenCost): boolean {
  return [cost, ...(cost.tiers ?? [])].some((rates) =>
    [rates.input, rates.output, rates.cacheRead, rates.cacheWrite].some((rate) => (rate ?? 0) > 0),
  );
}

function readProvider(provider: Record<string, unknown>): ProviderPrices {
  const models = Array.isArray(provider["models"]) ? provider["models"].filter(isRecord) : [];
  return {
    isLocal: readLocality(provider["baseUrl"]),
    models: new Map(
      models.map(({ id, cost, baseUrl }) => [
        typeof id === "string" ? id : "",
        { cost: readCost(cost), isLocal: readLocality(baseUrl) },
      ]),
    ),
    overrides: new Map(
      recordEntries(provider["modelOverrides"]).flatMap(([id, override]) => {
        const cost = readCost(override["cost"]);
        return cost === null ? [] : [[id, cost] as const];
      }),
    ),
  };
}

function readLocality(baseUrl: unknown): boolean | null {
  return typeof baseUrl === "string" && baseUrl !== "" ? isLocalAddress(baseUrl) : null;
}

function readCost(cost: unknown): GivenCost | null {
  if (!isRecord(cost)) return null;
  const tiers = Array.isArray(cost["tiers"]) ? cost["tiers"].filter(isRecord) : undefined;
  return {
    ...readRates(cost),
    ...(tiers === undefined ? {} : { tiers: tiers.flatMap(readTier) }),
  };
}

function readTier(tier: Record<string, unknown>): GivenTier[] {
  const aboveTokens = readNumber(tier["inputTokensAbove"]);
  return aboveTokens === undefined ? [] : [{ ...readRates(tier), aboveTokens: Math.floor(aboveTokens) }];
}

/** Only rates that are there: a partial override must not hide the others. */
function readRates(from: Record<string, unknown>): GivenRates {
  const names = ["input", "output", "cacheRead", "cacheWrite"] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const rate = readNumber(from[name]);
      return rate === undefined ? [] : [[name, rate]];
    }),
  );
}

/** Some tables write -1 for a price that varies. */
function readNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function parseTolerant(text: string): unknown {
  const withoutMark = text.startsWith("\uFEFF") ? text.slice(1) : text;
  return tryParse(withoutMark) ?? tryParse(withoutExtras(withoutMark));
}

/** The parser's message is dropped: it may quote a key. */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const STRING_COMMENT_OR_COMMA = /("(?:[^"\\]|\\.)*")|\/\/.*|,(?=(?:\s|\/\/.*)*[}\]])/g;

function withoutExtras(text: string): string {
  return text.replace(STRING_COMMENT_OR_COMMA, (_match, string: string | undefined) => string ?? "");
}

function recordEntries(value: unknown): [string, Record<string, unknown>][] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, entry]) => (isRecord(entry) ? [[key, entry]] : []));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
