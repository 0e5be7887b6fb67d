import { calcPrice } from "@pydantic/genai-prices";
import { describe, expect, it } from "vitest";
import { applyEstimates } from "../../../pipeline/load/prices/estimates.js";
import { queryRows } from "../../../pipeline/load/sql.js";
import { addUsage, estimate, openTransaction, readEstimates, type UsageRow } from "./usage-fixture.js";

const UNKNOWN = [null, null, null];
const table = (usd: string) => [usd, "genai_prices", "0.1.8"];
const byAnswer = (usd: string) => [usd, "genai_prices:response_model", "0.1.8"];

async function estimateOf(row: UsageRow): Promise<unknown[]> {
  const { estimates } = await estimate([row]);
  return estimates[0] ?? [];
}

describe("which rows are estimated", () => {
  const used = { provider: "anthropic", model: "claude-opus-4-5", input: 1000, output: 100 };
  // 1000 x 5 + 100 x 25 millionths of a dollar.
  const price = table("0.007500000");

  it("estimates rows without a recorded cost above 0, gone and copied ones too, and no others", async () => {
    const { estimates, outcome } = await estimate([
      { ...used, status: "zero" },
      { ...used, status: "missing" },
      { ...used, status: "invalid", isPresent: false, isCopy: true },
      { ...used, status: "recorded" },
    ]);
    expect(estimates).toEqual([price, price, price, UNKNOWN]);
    expect(outcome).toEqual({ pricedRows: 3, inputsChanged: true, warnings: [] });
  });

  it("needs tokens, and both the input and the output count", async () => {
    const { estimates } = await estimate([
      { ...used, input: 0, output: 0 },
      { ...used, input: null },
      { ...used, output: null },
      { ...used, cacheRead: null },
    ]);
    expect(estimates).toEqual([UNKNOWN, UNKNOWN, UNKNOWN, price]);
  });

  it("knows no price of unknown models, unknown providers and rows without either", async () => {
    const { estimates } = await estimate([
      { ...used, model: "claude-of-tomorrow" },
      { ...used, provider: "acme", model: "acme-large" },
      { ...used, provider: "my-anthropic-proxy" },
      { ...used, provider: null },
      { ...used, model: null },
      { ...used, provider: "github-copilot", model: "gpt-5.4" },
    ]);
    expect(estimates).toEqual(Array.from({ length: 6 }, () => UNKNOWN));
  });

  it("leaves a million dollars and more alone, as costs are", async () => {
    const { estimates } = await estimate([
      { ...used, input: 199_999_000_000 },
      { ...used, input: 2 ** 53 - 1 },
    ]);
    expect(estimates).toEqual([table("999995.002500000"), UNKNOWN]);
  });
});

describe("the formula", () => {
  it("charges input, output and both kinds of cache by their own rate", async () => {
    const row = { provider: "anthropic", model: "claude-opus-4-5" };
    const tokens = { input: 1000, output: 200, cacheRead: 10_000, cacheWrite: 400 };
    // 1000 x 5 + 200 x 25 + 10000 x 0.5 + 400 x 6.25 = 5000 + 5000 + 5000 + 2500
    expect(await estimateOf({ ...row, ...tokens })).toEqual(table("0.017500000"));
  });

  it("charges the hour-long part of the cache writes twice the input, and never more than was written", async () => {
    const row = { provider: "anthropic", model: "claude-opus-4-5", input: 10, output: 0, cacheWrite: 400 };
    // 10 x 5 + 300 x 6.25 + 100 x 10 = 50 + 1875 + 1000; with all 400 in it 50 + 4000
    expect(await estimateOf({ ...row, cacheWrite1h: 100 })).toEqual(table("0.002925000"));
    expect(await estimateOf({ ...row, cacheWrite1h: 900 })).toEqual(table("0.004050000"));
  });

  it("charges reasoning once, as output", async () => {
    const row = { provider: "openai", model: "o3", input: 1000, output: 500 };
    // 1000 x 2 + 500 x 8
    expect(await estimateOf({ ...row, reasoning: 400 })).toEqual(table("0.006000000"));
  });

  it("puts the whole request into a tier once input and cache together pass its threshold", async () => {
    const row = { provider: "anthropic", model: "claude-sonnet-4-5", output: 1000 };
    const at = { ...row, input: 100_000, cacheRead: 90_000, cacheWrite: 10_000 };
    // 100000 x 3 + 90000 x 0.3 + 10000 x 3.75 + 1000 x 15 = 300000 + 27000 + 37500 + 15000
    expect(await estimateOf(at)).toEqual(table("0.379500000"));
    // 100001 x 6 + 90000 x 0.6 + 10000 x 7.5 + 1000 x 22.5 = 600006 + 54000 + 75000 + 22500
    expect(await estimateOf({ ...at, input: 100_001 })).toEqual(table("0.751506000"));
  });

  it("adds what a provider charges for each request", async () => {
    const row = { provider: "perplexity", model: "sonar", input: 1000, output: 1000 };
    expect(await estimateOf(row)).toEqual(table("0.014000000"));
    expect(await estimateOf({ ...row, requests: 0 })).toEqual(table("0.002000000"));
  });
});

describe("the date", () => {
  const o3 = { provider: "openai", model: "o3", input: 1_000_000, output: 100_000 };

  it("takes the price of the row's day, from midnight UTC on", async () => {
    // o3 fell from 10 and 40 to 2 and 8 on 2025-06-10.
    expect(await estimateOf({ ...o3, at: "2025-06-09T23:59:59.999Z" })).toEqual(table("14.000000000"));
    expect(await estimateOf({ ...o3, at: "2025-06-10T00:00:00Z" })).toEqual(table("2.800000000"));
  });

  it("takes the first price where the row has no time", async () => {
    expect(await estimateOf({ ...o3, at: null })).toEqual(table("14.000000000"));
  });

  it("takes the price of the hour where there is one", async () => {
    const row = { provider: "deepseek", model: "deepseek-chat", input: 1_000_000, output: 0 };
    expect(await estimateOf({ ...row, at: "2025-03-01T00:29:59Z" })).toEqual(table("0.135000000"));
    expect(await estimateOf({ ...row, at: "2025-03-01T00:30:00Z" })).toEqual(table("0.270000000"));
    expect(await estimateOf({ ...row, at: "2025-03-01T16:30:00Z" })).toEqual(table("0.135000000"));
  });
});

it("agrees with the table's own calculation, which counts cached tokens inside the input", async () => {
  const models = ["claude-opus-4-6", "claude-sonnet-4-6", "claude-3-5-haiku-latest", "claude-fable-5"];
  const times = ["2026-01-15T03:00:00Z", "2026-09-15T03:00:00Z"];
  const tokens = { input: 150_000, output: 2000, cacheRead: 60_000, cacheWrite: 3000, cacheWrite1h: 1000 };
  const rows = models.flatMap((model) =>
    times.map((at) => ({ provider: "anthropic", model, at, ...tokens })),
  );
  const { estimates } = await estimate(rows);
  const expected = rows.map((row) =>
    calcPrice(
      {
        input_tokens: 213_000,
        output_tokens: 2000,
        cache_read_tokens: 60_000,
        cache_write_tokens: 3000,
        cache_write_1h_tokens: 1000,
      },
      row.model,
      { providerId: "anthropic", timestamp: new Date(row.at) },
    )?.total_price.toFixed(9),
  );
  expect(estimates.map(([usd]) => usd)).toEqual(expected);
});

describe("names", () => {
  const tokens = { input: 1_000_000, output: 0 };

  it("finds a provider under the name that Pi gives it, or gave it before", async () => {
    const { estimates } = await estimate([
      { provider: "azure", model: "gpt-5", ...tokens },
      { provider: "azure-openai-responses", model: "gpt-5", ...tokens },
      { provider: "openai-codex", model: "gpt-5", ...tokens },
      { provider: "google-vertex", model: "gemini-2.5-flash", ...tokens },
      { provider: "google-gemini-cli", model: "gemini-2.5-flash", ...tokens },
      { provider: "amazon-bedrock", model: "us.anthropic.claude-opus-4-5-20251101-v1:0", ...tokens },
      { provider: "vercel-ai-gateway", model: "anthropic/claude-opus-4.5", ...tokens },
      { provider: "vercel-ai-gateway", model: "anthropic/claude-opus-4.5-batch", ...tokens },
      { provider: "openrouter", model: "anthropic/claude-opus-4.5", ...tokens },
    ]);
    expect(estimates.map(([usd]) => usd)).toEqual([
      "1.250000000",
      "1.250000000",
      "1.250000000",
      "0.300000000",
      "0.300000000",
      "5.500000000",
      "5.000000000",
      null,
      "5.000000000",
    ]);
  });

  it("reads provider, model and thinking level out of the one name that sub-agents report", async () => {
    expect(await estimateOf({ provider: null, model: "anthropic/claude-opus-4-5:high", ...tokens })).toEqual(
      table("5.000000000"),
    );
  });
});

describe("free models", () => {
  it("are free by name, though the name that answered has a price", async () => {
    const row = { provider: "openrouter", model: "moonshotai/kimi-k2:free", input: 900_000, output: 9000 };
    expect(await estimateOf({ ...row, answeredBy: "moonshotai/kimi-k2" })).toEqual([
      "0.000000000",
      "free",
      null,
    ]);
  });

  it("are free without token counts, and on a router that takes free models only", async () => {
    const { estimates } = await estimate([
      { provider: "acme", model: "acme-mini:free", input: null, output: null },
      { provider: "openrouter", model: "openrouter/free", answeredBy: "moonshotai/kimi-k2", input: 900 },
    ]);
    expect(estimates).toEqual([
      ["0.000000000", "free", null],
      ["0.000000000", "free", null],
    ]);
  });
});

describe("the model that is priced", () => {
  const tokens = { input: 1_000_000, output: 0 };

  it("is the one asked for, whoever answered", async () => {
    const row = { provider: "openrouter", model: "anthropic/claude-opus-4.5", ...tokens };
    expect(await estimateOf({ ...row, answeredBy: "openai/gpt-5" })).toEqual(table("5.000000000"));
  });

  it("is the one that answered where a router was asked, and is marked", async () => {
    const router = { provider: "openrouter", model: "openrouter/auto", ...tokens };
    const { estimates } = await estimate([
      { ...router, answeredBy: "openai/gpt-5" },
      { ...router, model: "~anthropic/claude-opus-latest", answeredBy: "anthropic/claude-opus-4.5" },
      { ...router, answeredBy: "acme/unheard-of" },
      router,
    ]);
    expect(estimates).toEqual([byAnswer("1.250000000"), byAnswer("5.000000000"), UNKNOWN, UNKNOWN]);
  });

  it("is the one that answered where Anthropic let another model answer a refused request", async () => {
    const row = { provider: "anthropic", model: "claude-fable-5", ...tokens };
    const { estimates } = await estimate([
      { ...row, answeredBy: "claude-opus-4-8" },
      { ...row, answeredBy: "claude-fable-5-20260801" },
      row,
      {
        ...row,
        provider: "amazon-bedrock",
        model: "us.anthropic.claude-opus-4-5",
        answeredBy: "claude-opus-4-8",
      },
    ]);
    expect(estimates).toEqual([
      byAnswer("5.000000000"),
      table("10.000000000"),
      table("10.000000000"),
      table("5.500000000"),
    ]);
  });
});

describe("when estimates are made again", () => {
  const used = { provider: "anthropic", model: "claude-opus-4-5", input: 1000, output: 100 };

  it("does nothing where neither rows nor prices changed", async () => {
    const { connection, close } = await openTransaction();
    await addUsage(connection, [used]);
    await applyEstimates(connection, { modelsPaths: [], rowsChanged: true });
    await addUsage(connection, [used], 2);
    const outcome = await applyEstimates(connection, { modelsPaths: [], rowsChanged: false });
    expect(outcome).toEqual({ pricedRows: 0, inputsChanged: false, warnings: [] });
    expect(await readEstimates(connection)).toEqual([table("0.007500000"), UNKNOWN]);
    close();
  });

  it("touches only rows whose estimate differs, and clears that of a row whose cost is now recorded", async () => {
    const { connection, close } = await openTransaction();
    await addUsage(connection, [used, used]);
    await applyEstimates(connection, { modelsPaths: [], rowsChanged: true });
    await connection.run("commit");
    await connection.run("begin");
    await connection.run("update base.usage set cost_status = 'recorded' where entry_seq = 1");
    const outcome = await applyEstimates(connection, { modelsPaths: [], rowsChanged: true });
    expect(outcome.pricedRows).toBe(1);
    expect(await readEstimates(connection)).toEqual([UNKNOWN, table("0.007500000")]);
    close();
  });

  it("keeps one hash of the prices and leaves no table behind", async () => {
    const { connection, close } = await openTransaction();
    for (const rowsChanged of [true, true, false])
      await applyEstimates(connection, { modelsPaths: [], rowsChanged });
    const settings = await queryRows(
      connection,
      "select count(*) as n, max(length(value)) as digits from meta.settings where key = 'price_inputs'",
    );
    const left = await queryRows(connection, "select table_name from duckdb_tables() where temporary");
    expect([settings, left]).toEqual([[{ n: 1n, digits: 64n }], []]);
    close();
  });
});
