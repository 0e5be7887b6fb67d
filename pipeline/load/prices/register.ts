/** Ids that Pi gave a provider before it was renamed. Rows and models.json may hold either. */
const RENAMED: ReadonlyMap<string, string> = new Map([["azure-openai-responses", "azure"]]);

/**
 * Pi's provider ids (1.6.0 and those it had before) whose name in the offline table is another one. Plans
 * that are paid by the month and that Pi itself prices by the list (Codex, the Z.ai plan) are priced so.
 */
const TABLE_NAMES: ReadonlyMap<string, string> = new Map([
  ["amazon-bedrock", "aws"],
  ["cloudflare-workers-ai", "cloudflare"],
  ["google-antigravity", "google"],
  ["google-gemini-cli", "google"],
  ["google-vertex", "google"],
  ["minimax-cn", "minimax"],
  ["moonshotai-cn", "moonshotai"],
  ["openai-codex", "openai"],
  ["xai", "x-ai"],
]);

/**
 * Providers that the table knows but whose requests it can't price: Copilot was billed by premium request
 * and not by token until 2026, and the table has its token rates without a date.
 */
const NOT_BY_TOKEN: ReadonlySet<string> = new Set(["github-copilot"]);

/** Gateways that pass the vendors' list prices through, with model ids of the form `vendor/model`. */
const GATEWAY_VENDORS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    "vercel-ai-gateway",
    new Map([
      ["anthropic", "anthropic"],
      ["google", "google"],
      ["openai", "openai"],
      ["xai", "x-ai"],
    ]),
  ],
]);

/** Variants that a gateway sells at half or twice the list price. */
const OFF_LIST = /-(?:batch|fast)$/i;

/** Model ids that choose another model for each request; `*` stands for every provider. */
const ROUTERS: ReadonlyMap<string, readonly RegExp[]> = new Map([
  ["*", [/^(?:.*\/)?auto$/]],
  ["openrouter", [/^openrouter\/(?:auto-beta|auto-code|pareto-code)$/, /^typesafe\/jev-router$/, /^~/]],
]);

/** Model ids that cost nothing by their name. */
const FREE: ReadonlyMap<string, readonly RegExp[]> = new Map([
  ["*", [/:free$/]],
  ["opencode", [/-free$/]],
  ["opencode-go", [/-free$/]],
  ["openrouter", [/^openrouter\/free$/]],
]);

/** The provider's present id. */
export function presentId(provider: string): string {
  return RENAMED.get(provider) ?? provider;
}

/** Provider and model as the offline table calls them, or null where it can't price the provider. */
export function nameInTable(provider: string, model: string): { provider: string; model: string } | null {
  if (NOT_BY_TOKEN.has(provider)) return null;
  const vendors = GATEWAY_VENDORS.get(provider);
  if (vendors === undefined) return { provider: TABLE_NAMES.get(provider) ?? provider, model };
  const slash = model.indexOf("/");
  const vendor = slash < 0 ? undefined : vendors.get(model.slice(0, slash));
  if (vendor === undefined || OFF_LIST.test(model)) return null;
  return { provider: vendor, model: model.slice(slash + 1) };
}

/** Whether the id names no model of its own, but one that is chosen for each request. */
export function isRouter(provider: string, model: string): boolean {
  return matches(ROUTERS, provider, model);
}

export function isFreeByName(provider: string, model: string): boolean {
  return matches(FREE, provider, model);
}

/** Everything above in one text: what was estimated by another register is estimated anew. */
export function registerText(): string {
  return JSON.stringify(
    [RENAMED, TABLE_NAMES, NOT_BY_TOKEN, GATEWAY_VENDORS, OFF_LIST, ROUTERS, FREE],
    plain,
  );
}

function plain(_key: string, value: unknown): unknown {
  if (value instanceof RegExp) return value.source;
  return value instanceof Map || value instanceof Set ? [...value] : value;
}

function matches(register: ReadonlyMap<string, readonly RegExp[]>, provider: string, model: string): boolean {
  const patterns = [...(register.get("*") ?? []), ...(register.get(provider) ?? [])];
  return patterns.some((pattern) => pattern.test(model));
}
