import { placeColumns, recordColumns } from "./common.js";
import {
  day,
  derived,
  flag,
  instant,
  name,
  nullable,
  path,
  small,
  table,
  text,
  usd,
  whole,
} from "./table.js";

export const usage = table({
  name: "usage",
  description:
    "One row per carrier of token counts: replies, tool results, sub-agents' results, summaries, usage entries. Rows that repeat money stay, with is_counted false.",
  key: ["session_key", "entry_seq", "usage_seq"],
  timeColumn: "occurred_at",
  columns: {
    ...placeColumns,
    usage_seq: small(
      "Position among the carriers of the entry; odd numbers are the uncounted rest of the row before.",
    ),
    entry_id: name("Entry that carries the usage."),
    ...recordColumns,
    source: name("assistant, tool_result, subagent, compaction, branch_summary or usage_entry."),
    usage_kind: nullable(name("Kind of a usage entry, such as cache_warm.")),
    occurred_at: nullable(instant("When the entry was written.")),
    occurred_on: derived(nullable(day("Day of occurred_at in the warehouse's time zone."))),
    request_count: small("Requests to a provider: 1 for an assistant message, else 0."),
    turn_count: nullable(whole("Requests that a sub-agent reports.")),
    provider: nullable(name("Provider asked.")),
    model_id: nullable(name("Model asked for.")),
    response_model: nullable(name("Model that answered, where the reply names it.")),
    api: nullable(name("Provider interface.")),
    tool_name: nullable(name("Tool whose result carries the usage.")),
    subagent_name: nullable(name("Sub-agent.")),
    subagent_run_id: nullable(name("Run of the sub-agent, as its extension names it.")),
    subagent_run_index: nullable(small("Position of the sub-agent in its run.")),
    child_session_path: nullable(path("Session file of the sub-agent, as the result names it.")),
    child_session_key: derived(nullable(name("Session of the sub-agent, where it is loaded."))),
    input_tokens: nullable(whole("Prompt tokens that no cache held.")),
    output_tokens: nullable(whole("Tokens written; reasoning is part of them.")),
    cache_read_tokens: nullable(whole("Prompt tokens read from a cache.")),
    cache_write_tokens: nullable(whole("Prompt tokens written to a cache.")),
    cache_write_1h_tokens: nullable(whole("Part of cache_write_tokens that is kept for an hour.")),
    reasoning_tokens: nullable(whole("Part of output_tokens that is reasoning.")),
    total_tokens: nullable(whole("Total as the provider said; need not be the sum.")),
    tokens_raw: nullable(
      text("Token counts that are no integer in 0..2^53-1, as a JSON object of the raw values."),
    ),
    invalid_token_count: small(
      "Token counts that are no integer in 0..2^53-1; kept where tokens_raw is dropped.",
    ),
    input_cost_usd: nullable(usd("Cost of the input as recorded.")),
    output_cost_usd: nullable(usd("Cost of the output as recorded.")),
    cache_read_cost_usd: nullable(usd("Cost of cache reads as recorded.")),
    cache_write_cost_usd: nullable(usd("Cost of cache writes as recorded.")),
    cost_usd: nullable(usd("Cost that Pi recorded; the parts need not add up to it.")),
    cost_status: name("recorded (above 0), zero, missing or invalid."),
    cost_raw: nullable(text("Cost as written, where it is invalid.")),
    is_total_from_provider: nullable(flag("Whether the total is what the provider billed.")),
    estimated_cost_usd: derived(
      nullable(usd("Estimate from a price table where no cost above 0 is recorded; never part of cost_usd.")),
    ),
    price_source: derived(
      nullable(
        name(
          "Where the estimate's price is from, or why there is none: models_json, genai_prices, free, local_address; with :response_model where the model that answered was priced.",
        ),
      ),
    ),
    price_version: derived(
      nullable(
        name(
          "Version of the price table, 12 hex digits of a models.json, or both joined by + where it overrides.",
        ),
      ),
    ),
    stop_reason: nullable(name("Why the reply or sub-agent ended.")),
    is_failed: flag("True for requests that ended in error or were aborted."),
    is_counted: derived(flag("True where the row is part of what was paid.")),
    not_counted_reason: derived(nullable(name("copy, child_session, reported_in_children or aggregate."))),
    replaced_cost_usd: derived(
      nullable(usd("Cost of the reading before, where a later one of the same record has another.")),
    ),
  },
});
