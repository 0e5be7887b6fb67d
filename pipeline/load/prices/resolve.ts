import { findInTable } from "./genai-prices.js";
import type { ModelsJson } from "./models-json.js";
import { askedModel, isRefusalFallback, type UsedModel } from "./paid-model.js";
import type { Price } from "./price.js";
import { isFreeByName, isRouter, presentId } from "./register.js";
import { userPriceOf } from "./user-price.js";

/** `isByAnswer`: priced by the model that answered, not by the one asked for. */
export interface ResolvedPrice {
  readonly price: Price;
  readonly isByAnswer: boolean;
}

/** Price of what a request used, or null where nobody knows one. */
export async function resolvePrice(
  used: UsedModel,
  files: readonly ModelsJson[],
): Promise<ResolvedPrice | null> {
  const asked = askedModel(used);
  if (asked === null) return null;
  const provider = presentId(asked.provider);
  const isRouted = isRouter(provider, asked.model);
  const isByAnswer = isRouted || isRefusalFallback(provider, asked.model, used.responseModel);
  const ofRouter = isRouted ? await namedPriceOf(provider, asked.model, files) : null;
  if (ofRouter !== null) return { price: ofRouter, isByAnswer: false };
  const price = await priceOf(provider, isByAnswer ? used.responseModel : asked.model, files);
  return price === null ? null : { price, isByAnswer };
}

async function priceOf(provider: string, model: string, files: readonly ModelsJson[]): Promise<Price | null> {
  if (model === "") return null;
  return (await namedPriceOf(provider, model, files)) ?? (await findInTable(provider, model));
}

/** What the user wrote down or the name says, which a router can have as well as a model. */
async function namedPriceOf(
  provider: string,
  model: string,
  files: readonly ModelsJson[],
): Promise<Price | null> {
  return (await userPriceOf(provider, model, files)) ?? freePriceOf(provider, model);
}

function freePriceOf(provider: string, model: string): Price | null {
  return isFreeByName(provider, model) ? { source: "free", version: null, periods: [] } : null;
}
