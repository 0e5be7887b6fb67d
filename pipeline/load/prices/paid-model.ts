/** A request's models, as a row of `usage` has them; "" where it has none. */
export interface UsedModel {
  readonly provider: string;
  readonly model: string;
  readonly responseModel: string;
}

const THINKING_LEVEL = /:(?:off|minimal|low|medium|high|xhigh|max)$/;

/**
 * Provider and model asked for, or null where the row names no model or no provider. Sub-agents' results
 * have both in one, with the thinking level: `anthropic/claude-opus-4-5:high`.
 */
export function askedModel({ provider, model }: UsedModel): { provider: string; model: string } | null {
  if (model === "") return null;
  if (provider !== "") return { provider, model };
  const slash = model.indexOf("/");
  if (slash < 1) return null;
  return { provider: model.slice(0, slash), model: model.slice(slash + 1).replace(THINKING_LEVEL, "") };
}

/**
 * Whether Anthropic's server let another model answer what the one asked for refused, which is then the one
 * that is paid (Pi 0.84.3 and later). An alias that is answered by its dated name is no other model.
 */
export function isRefusalFallback(provider: string, model: string, responseModel: string): boolean {
  if (provider !== "anthropic" || !responseModel.startsWith("claude-")) return false;
  return undated(model) !== undated(responseModel);
}

function undated(model: string): string {
  return model.toLowerCase().replace(/-(?:latest|0|20\d{6})$/, "");
}
