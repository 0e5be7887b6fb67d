/** Dollars per million tokens, but `request`, which is dollars per request. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** For the part of the cache writes that is kept for an hour. */
  readonly cacheWrite1h: number;
  /** For the part of the output that is reasoning. */
  readonly reasoning: number;
  readonly request: number;
}

/**
 * Rates of a whole request whose input, cache reads and cache writes together are above a number of tokens;
 * the highest tier that a request passes rules. The first tier starts at `ALL_REQUESTS`.
 */
export interface Tier extends Rates {
  readonly aboveTokens: number;
}

export const ALL_REQUESTS = -1;

/**
 * When a price holds: from an instant on, or in a part of each day, counted from midnight UTC and maybe
 * running over the next. Of several periods that hold for a request, the later in the list rules.
 */
export interface Period {
  readonly validFromMs: number | null;
  readonly dayStartMs: number | null;
  readonly dayLengthMs: number | null;
  readonly tiers: readonly Tier[];
}

export type PriceSource = "models_json" | "genai_prices" | "free" | "local_address";

/** What is known of a model's price. `free` and `local_address` have no periods. */
export interface Price {
  readonly source: PriceSource;
  readonly version: string | null;
  readonly periods: readonly Period[];
}

/** The rates that a price table or a user wrote down; the others follow from them. */
export interface GivenRates {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
  readonly cacheWrite1h?: number | undefined;
  readonly reasoning?: number | undefined;
  readonly request?: number | undefined;
}

/**
 * All rates of a tier, or null where input or output has none. Cached tokens without a rate of their own are
 * input; an hour in the cache costs twice the input, as Pi's own formula has it.
 */
export function completeTier(aboveTokens: number, given: GivenRates): Tier | null {
  const { input, output } = given;
  if (input === undefined || output === undefined) return null;
  return {
    aboveTokens,
    input,
    output,
    cacheRead: given.cacheRead ?? input,
    cacheWrite: given.cacheWrite ?? input,
    cacheWrite1h: given.cacheWrite1h ?? 2 * input,
    reasoning: given.reasoning ?? output,
    request: given.request ?? 0,
  };
}

/** Base rates with some of them given anew. */
export function layOver(base: Rates, given: GivenRates): Rates {
  return {
    input: given.input ?? base.input,
    output: given.output ?? base.output,
    cacheRead: given.cacheRead ?? base.cacheRead,
    cacheWrite: given.cacheWrite ?? base.cacheWrite,
    cacheWrite1h: given.cacheWrite1h ?? (given.input === undefined ? base.cacheWrite1h : 2 * given.input),
    reasoning: given.reasoning ?? given.output ?? base.reasoning,
    request: given.request ?? base.request,
  };
}

/** A period without limits. */
export function always(tiers: readonly Tier[]): Period {
  return { validFromMs: null, dayStartMs: null, dayLengthMs: null, tiers };
}
