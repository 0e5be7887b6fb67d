import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findModelsFiles } from "../../../pipeline/load/prices/models-files.js";
import { parseModelsJson } from "../../../pipeline/load/prices/models-json.js";
import { estimate, type UsageRow } from "./usage-fixture.js";

const UNKNOWN = [null, null, null];
const HEX = expect.stringMatching(/^[0-9a-f]{12}$/);

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "piquet-models-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function write(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

async function estimatesWith(providers: unknown, rows: readonly UsageRow[]): Promise<unknown[][]> {
  const { estimates } = await estimate(rows, [write("models.json", { providers })]);
  return estimates;
}

describe("costs in models.json", () => {
  const row = { provider: "acme", model: "acme-large", input: 1000, output: 100 };
  const cost = { input: 4, output: 20, cacheRead: 0.4, cacheWrite: 5 };
  const acme = (entry: object) => ({
    acme: { baseUrl: "https://api.acme.example/v1", models: [{ id: "acme-large", ...entry }] },
  });

  it("price models that no table knows", async () => {
    const full = { ...row, cacheRead: 500, cacheWrite: 300, cacheWrite1h: 100 };
    // 1000 x 4 + 100 x 20 + 500 x 0.4 + 200 x 5 + 100 x 8 = 4000 + 2000 + 200 + 1000 + 800
    expect(await estimatesWith(acme({ cost }), [full])).toEqual([["0.008000000", "models_json", HEX]]);
  });

  it("go before the offline table and before a name that says free", async () => {
    const models = ["claude-opus-4-5", "claude-opus-4-5:free"];
    const anthropic = { baseUrl: "https://proxy.acme.example", models: models.map((id) => ({ id, cost })) };
    const rows = models.map((model) => ({ ...row, provider: "anthropic", model }));
    expect(await estimatesWith({ anthropic }, rows)).toEqual(
      models.map(() => ["0.006000000", "models_json", HEX]),
    );
  });

  it("apply the highest tier that a request passes, to all of it", async () => {
    const tiers = [
      { inputTokensAbove: 200_000, input: 12, output: 60, cacheRead: 1.2, cacheWrite: 15 },
      { inputTokensAbove: 100_000, input: 8, output: 40, cacheRead: 0.8, cacheWrite: 10 },
    ];
    const rows = [
      { ...row, input: 60_000, cacheRead: 40_000 },
      { ...row, input: 60_001, cacheRead: 40_000 },
      { ...row, input: 100_000, cacheRead: 100_000, cacheWrite: 1, cacheWrite1h: 1 },
    ];
    // 240000 + 2000 + 16000; 480008 + 4000 + 32000; 1200000 + 6000 + 120000 + 24
    expect((await estimatesWith(acme({ cost: { ...cost, tiers } }), rows)).map(([usd]) => usd)).toEqual([
      "0.258000000",
      "0.516008000",
      "1.326024000",
    ]);
  });

  it("of 0 are an estimate of 0 where the address is not local", async () => {
    const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    expect(await estimatesWith(acme({ cost: free }), [row])).toEqual([["0.000000000", "models_json", HEX]]);
  });

  it("that are missing or below 0 say nothing", async () => {
    const rows = [row, { ...row, model: "acme-mini" }];
    expect(await estimatesWith(acme({ cost: { ...cost, input: -1 } }), rows)).toEqual([UNKNOWN, UNKNOWN]);
    expect(await estimatesWith(acme({}), rows)).toEqual([UNKNOWN, UNKNOWN]);
  });

  it("are found under the name that a provider had before", async () => {
    const azure = { baseUrl: "https://acme.example", models: [{ id: "acme-large", cost }] };
    const rows = ["azure", "azure-openai-responses"].map((provider) => ({ ...row, provider }));
    const expected = rows.map(() => ["0.006000000", "models_json", HEX]);
    expect(await estimatesWith({ "azure-openai-responses": azure }, rows)).toEqual(expected);
    expect(await estimatesWith({ azure }, rows)).toEqual(expected);
  });
});

describe("modelOverrides", () => {
  const row = { provider: "anthropic", model: "claude-sonnet-4-5", output: 1000 };
  const merged = (usd: string) => [usd, "models_json", expect.stringMatching(/^[0-9a-f]{12}\+0\.1\.8$/)];

  it("change the rates they name and leave the others and the tiers to the table", async () => {
    const modelOverrides = { "claude-sonnet-4-5": { cost: { input: 1 } } };
    const rows = [
      { ...row, input: 100_000, cacheRead: 100_000, cacheWrite: 0 },
      { ...row, input: 100_000, cacheRead: 100_001, cacheWrite: 0 },
      { ...row, input: 0, cacheWrite: 1000, cacheWrite1h: 1000 },
    ];
    // 100000 x 1 + 100000 x 0.3 + 1000 x 15; 100000 x 6 + 100001 x 0.6 + 1000 x 22.5; 1000 x 2 + 15000
    expect(await estimatesWith({ anthropic: { modelOverrides } }, rows)).toEqual([
      merged("0.145000000"),
      merged("0.682500600"),
      merged("0.017000000"),
    ]);
  });

  it("replace all tiers by their own", async () => {
    const tiers = [{ inputTokensAbove: 50_000, input: 9, output: 10, cacheRead: 1, cacheWrite: 1 }];
    const modelOverrides = { "claude-sonnet-4-5": { cost: { tiers } } };
    const rows = [
      { ...row, input: 50_000 },
      { ...row, input: 300_000 },
    ];
    // 50000 x 3 + 1000 x 15; 300000 x 9 + 1000 x 10
    expect(await estimatesWith({ anthropic: { modelOverrides } }, rows)).toEqual([
      merged("0.165000000"),
      merged("2.710000000"),
    ]);
  });

  it("are laid over the cost in models where there is one", async () => {
    const models = [{ id: "acme-large", cost: { input: 4, output: 20, cacheRead: 0.4, cacheWrite: 5 } }];
    const modelOverrides = { "acme-large": { cost: { output: 2 } } };
    const rows = [{ provider: "acme", model: "acme-large", input: 1000, output: 1000 }];
    expect(await estimatesWith({ acme: { models, modelOverrides } }, rows)).toEqual([
      ["0.006000000", "models_json", HEX],
    ]);
  });
});

describe("a local address", () => {
  const row = { provider: "ollama", model: "qwen3-coder:30b", input: 1000, output: 100 };
  const local = [null, "local_address", HEX];
  const ollama = (entry: object) => ({ ollama: { baseUrl: "http://localhost:11434/v1", ...entry } });
  const cost = (input: number) => ({ cost: { input, output: 0, cacheRead: 0, cacheWrite: 0 } });

  it("gives no estimate, whether the model is listed or not and has token counts or not", async () => {
    const rows = [row, { ...row, model: "llama4" }, { ...row, input: 0, output: 0 }];
    expect(await estimatesWith(ollama({ models: [{ id: row.model }] }), rows)).toEqual([local, local, local]);
  });

  it("stays one at a cost of 0 and is priced by a cost above 0", async () => {
    expect(await estimatesWith(ollama({ models: [{ id: row.model, ...cost(0) }] }), [row])).toEqual([local]);
    expect(await estimatesWith(ollama({ models: [{ id: row.model, ...cost(3) }] }), [row])).toEqual([
      ["0.003000000", "models_json", HEX],
    ]);
  });

  it("hides the offline price of a provider that is led there", async () => {
    const used = { provider: "anthropic", model: "claude-fable-5", input: 1000, output: 100 };
    const rows = [used, { ...used, answeredBy: "claude-opus-4-8" }];
    const anthropic = { baseUrl: "http://192.168.1.7:4000" };
    expect(await estimatesWith({ anthropic }, rows)).toEqual([local, local]);
  });

  it("can be one model's alone", async () => {
    const models = [{ id: "acme-mini", baseUrl: "http://10.0.0.3:8000" }];
    const providers = { acme: { baseUrl: "https://api.acme.example", models } };
    const rows = ["acme-mini", "acme-large"].map((model) => ({ ...row, provider: "acme", model }));
    expect(await estimatesWith(providers, rows)).toEqual([local, UNKNOWN]);
  });
});

describe("several files", () => {
  it("are asked in order, for the cost and for the address", async () => {
    const row = { provider: "acme", model: "acme-large", input: 1_000_000, output: 0 };
    const withCost = (input: number) => ({
      providers: { acme: { models: [{ id: "acme-large", cost: { input, output: 0 } }] } },
    });
    const strong = write("strong.json", withCost(2));
    const weak = write("weak.json", withCost(7));
    const elsewhere = write("elsewhere.json", { providers: { acme: { baseUrl: "http://localhost:1" } } });
    const usd = async (paths: string[]) => (await estimate([row], paths)).estimates[0]?.slice(0, 2);
    expect(await usd([strong, weak])).toEqual(["2.000000000", "models_json"]);
    expect(await usd([weak, strong])).toEqual(["7.000000000", "models_json"]);
    expect(await usd([elsewhere, strong])).toEqual(["2.000000000", "models_json"]);
    expect(await usd([elsewhere])).toEqual([null, "local_address"]);
  });

  it("that are no JSON, or can't be read, are a warning that quotes nothing of them", async () => {
    const broken = write("models.json", '{"providers": {"acme": {"apiKey": "sk-very-secret" "models": []}}}');
    const { outcome } = await estimate([], [broken, folder]);
    expect(outcome.warnings).toEqual([
      `${broken} is no JSON: its prices are not used`,
      `${folder} can't be read: its prices are not used`,
    ]);
  });
});

describe("parseModelsJson", () => {
  it("lets line comments, commas before a closing bracket and a byte order mark pass, as Pi does", () => {
    const text = `\uFEFF{ // mine
      "providers": {
        "acme": { "baseUrl": "https://acme.example//v1,}", // "not": a key
          "models": [{ "id": "a//b,]", "cost": { "input": 1, "output": 2, } }, ], }, // last
      },
    }`;
    expect([...(parseModelsJson(text)?.providers.get("acme")?.models.keys() ?? [])]).toEqual(["a//b,]"]);
  });

  it("has a version that only prices change", () => {
    const version = (provider: object) =>
      parseModelsJson(JSON.stringify({ providers: { acme: provider } }))?.version;
    const cost = { input: 1, output: 2 };
    const plain = version({ models: [{ id: "a", cost }] });
    expect(version({ models: [{ id: "a", cost, name: "A" }], apiKey: "sk-1", headers: { x: "y" } })).toBe(
      plain,
    );
    expect(version({ models: [{ id: "a", cost: { ...cost, input: 3 } }] })).not.toBe(plain);
    expect(version({ baseUrl: "http://localhost:1", models: [{ id: "a", cost }] })).not.toBe(plain);
  });

  it("finds no prices in JSON of another shape", () => {
    for (const text of ["{}", '{"providers": []}', '{"providers": {"acme": 1, "b": {"models": {}}}}'])
      expect([...(parseModelsJson(text)?.providers.values() ?? [])].flatMap((p) => [...p.models])).toEqual(
        [],
      );
    expect([parseModelsJson("[]"), parseModelsJson("")]).toEqual([null, null]);
  });
});

describe("findModelsFiles", () => {
  it("takes the flag's file, the agent folder's and those beside the roots, each once", () => {
    const paths = ["agent", "other/sessions", "third", "bare/sessions"].map((name) => join(folder, name));
    for (const path of paths) mkdirSync(path, { recursive: true });
    const [agent = "", other = "", third = "", bare = ""] = paths;
    const files = ["agent", "other", "third"].map((name) => write(`${name}/models.json`, {}));
    const flag = write("prices.json", {});
    symlinkSync(join(folder, "other"), join(folder, "link"));
    const roots = [other, third, bare, agent, join(folder, "link/sessions")];
    expect(findModelsFiles(roots, agent, flag)).toEqual([flag, ...files]);
    expect(findModelsFiles([], agent, null)).toEqual([files[0]]);
    expect(findModelsFiles([bare], bare, null)).toEqual([]);
  });

  it("refuses a flag whose file is not there", () => {
    const missing = join(folder, "missing.json");
    expect(() => findModelsFiles([], folder, missing)).toThrow(`no such file: ${missing}`);
  });
});
