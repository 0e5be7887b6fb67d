import { findInTable } from "./genai-prices.js";
import { type GivenCost, isAboveZero, type ModelsJson, tiersAbove, tiersOfCost } from "./models-json.js";
import { always, layOver, type Period, type Price } from "./price.js";

/** What the models.json files say of one model, the first file that says it. */
interface UserPrice {
  readonly cost: GivenCost | null;
  readonly override: GivenCost | null;
  readonly isLocal: boolean;
  readonly version: string;
}

/**
 * Price of a model by the user's models.json files, the strongest first; null where they say neither a cost
 * nor a local address. A local address is no price, so costs of 0 there, Pi's default, say nothing.
 */
export async function userPriceOf(
  provider: string,
  model: string,
  files: readonly ModelsJson[],
): Promise<Price | null> {
  const user = findUserPrice(provider, model, files);
  if (user === null) return null;
  const isPriced = isAboveZero({ ...user.cost, ...user.override }) || !user.isLocal;
  const price = isPriced ? await pricedBy(provider, model, user) : null;
  if (price !== null || !user.isLocal) return price;
  return { source: "local_address", version: user.version, periods: [] };
}

/** As in Pi, an override is laid over the cost in `models`, else over what is known of the model. */
async function pricedBy(provider: string, model: string, user: UserPrice): Promise<Price | null> {
  const overridden =
    user.cost === null && user.override !== null ? await overrideTable(provider, model, user) : null;
  if (overridden !== null) return overridden;
  const tiers = tiersOfCost({ ...user.cost, ...user.override });
  return tiers === null ? null : { source: "models_json", version: user.version, periods: [always(tiers)] };
}

/** An override of some rates leaves the others as the offline table has them, on each of its dates. */
async function overrideTable(provider: string, model: string, user: UserPrice): Promise<Price | null> {
  const table = await findInTable(provider, model);
  if (table === null) return null;
  const periods = table.periods.map((period) => overridePeriod(period, user.override ?? {}));
  return { source: "models_json", version: `${user.version}+${table.version}`, periods };
}

/** As in Pi, the override's plain rates change the base only; its tiers replace all tiers. */
function overridePeriod(period: Period, override: GivenCost): Period {
  const [first, ...above] = period.tiers;
  if (first === undefined) return period;
  const base = { aboveTokens: first.aboveTokens, ...layOver(first, override) };
  return { ...period, tiers: [base, ...(override.tiers ? tiersAbove(base, override.tiers) : above)] };
}

function findUserPrice(provider: string, model: string, files: readonly ModelsJson[]): UserPrice | null {
  const known = files.flatMap((file) => {
    const entry = file.providers.get(provider);
    if (entry === undefined) return [];
    const own = entry.models.get(model);
    const override = entry.overrides.get(model) ?? null;
    return [
      { cost: own?.cost ?? null, override, isLocal: own?.isLocal ?? entry.isLocal, version: file.version },
    ];
  });
  const rank = known.findIndex((file) => file.cost !== null || file.override !== null);
  const priced = known[rank];
  const placed = known.find((file) => file.isLocal !== null);
  const version = (priced ?? placed)?.version;
  if (version === undefined) return null;
  return {
    cost: priced === undefined ? null : (known.slice(rank).find((file) => file.cost !== null)?.cost ?? null),
    override: priced?.override ?? null,
    isLocal: placed?.isLocal ?? false,
    version,
  };
}
