import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { PUBLISHED_VIEWS } from "../../pipeline/publish/relations.js";
import { tables } from "../../schema/index.js";
import golden from "../golden/v1.json" with { type: "json" };
import { publish, readManifest, withMemory } from "../support/lake.js";
import { proofFolder } from "../support/proof-folder.js";
import { load } from "../support/proof-warehouse.js";

const SECRET = "xyzzy";
const folder = proofFolder();
const [numbers, whole] = [join(folder, "numbers"), join(folder, "whole")];

/** A session in which every text that a person or a model can write holds the secret. */
function secretSession(): string {
  const at = (second: number): string => `2026-03-01T10:00:${String(second).padStart(2, "0")}.000Z`;
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { total: SECRET } };
  const message = (second: number, body: object): object => ({
    type: "message",
    id: `a000000${second}`,
    parentId: second === 1 ? null : `a000000${second - 1}`,
    timestamp: at(second),
    message: { ...body, timestamp: Date.parse(at(second)) },
  });
  const said = (text: string): object => ({ content: [{ type: "text", text }] });
  const call = { type: "toolCall", id: "call_1", name: "bash", arguments: { path: SECRET, command: SECRET } };
  const reply = { role: "assistant", api: "x", provider: "anthropic", model: "claude-opus-4-8", usage };
  const records = [
    { type: "session", version: 3, id: "s", timestamp: at(0), cwd: "/home/ada/shop", note: SECRET },
    message(1, { role: "user", ...said(`/skill:look ${SECRET}`) }),
    message(2, {
      ...reply,
      content: [{ type: "thinking", thinking: SECRET }, { type: "text", text: SECRET }, call],
      stopReason: "toolUse",
      extra: SECRET,
    }),
    message(3, {
      role: "toolResult",
      toolCallId: "call_1",
      toolName: "bash",
      isError: true,
      ...said(SECRET),
    }),
    message(4, { ...reply, content: [], stopReason: "error", errorMessage: `boom ${SECRET}` }),
    message(5, { role: "bashExecution", command: SECRET, output: SECRET, exitCode: 1, cancelled: false }),
    {
      type: "label",
      id: "a0000006",
      parentId: "a0000005",
      timestamp: at(6),
      targetId: "a0000002",
      label: SECRET,
    },
    { type: "session_info", id: "a0000007", parentId: "a0000006", timestamp: at(7), name: SECRET },
    {
      type: "compaction",
      id: "a0000008",
      parentId: "a0000007",
      timestamp: at(8),
      summary: SECRET,
      tokensBefore: 9,
    },
    { type: "custom", id: "a0000009", parentId: "a0000008", timestamp: at(9), customType: "x", data: SECRET },
  ];
  return `${records.map((record) => JSON.stringify(record)).join("\n")}\nnot JSON: ${SECRET}\n`;
}

beforeAll(async () => {
  writeFileSync(join(folder, "secret.jsonl"), secretSession());
  const dbPath = join(folder, "w.duckdb");
  await load(dbPath, [folder], { machine: "desk" });
  await publish(dbPath, numbers, "none");
  await publish(dbPath, whole, "full");
});

/** `relation.column` for every text column of the lake in which the secret stands. */
function columnsWithSecret(lake: string): Promise<string[]> {
  return withMemory(async (connection) => {
    const found = new Set<string>();
    for (const { path, relation } of readManifest(lake, "desk").files) {
      const columns = Object.entries(readManifest(lake, "desk").relations[relation] ?? {}).filter(
        ([, type]) => type === "varchar",
      );
      for (const [column] of columns) {
        const sql = `select count(*) from read_parquet('${lake}/${path}', hive_partitioning = false) where "${column}" like '%${SECRET}%'`;
        const [[count] = []] = (await connection.runAndReadAll(sql)).getRowsJson();
        if (count !== "0") found.add(`${relation}.${column}`);
      }
    }
    return [...found].toSorted();
  });
}

describe("content", () => {
  it("full has the text in the columns that are there for it", async () => {
    expect(await columnsWithSecret(whole)).toEqual(
      expect.arrayContaining([
        "base.entries.payload_json",
        "base.messages.command",
        "base.messages.error_message",
        "base.messages.label",
        "base.messages.prompt",
        "base.messages.text",
        "base.messages.thinking",
        "base.rejects.text_start",
        "base.sessions.header_json",
        "base.sessions.name",
        "base.tool_calls.arguments_json",
        "base.tool_calls.result_text",
        "base.tool_calls.target_path",
        "base.usage.cost_raw",
        "v1.failed_requests.error_message",
        "v1.sessions.first_prompt",
        "v1.sessions.name",
      ]),
    );
  });

  it("none has no text at all, in the same columns", async () => {
    expect(await columnsWithSecret(numbers)).toEqual([]);
    expect(readManifest(numbers, "desk").relations).toEqual(readManifest(whole, "desk").relations);
  });

  it("none keeps names, sizes and every number", async () => {
    const rows = await withMemory(async (connection) =>
      (
        await connection.runAndReadAll(
          `select role, sum(text_chars)::bigint from read_parquet('${numbers}/base/messages/*/*.parquet') where role = 'user' group by 1`,
        )
      ).getRowsJson(),
    );
    expect(rows).toEqual([["user", String(`/skill:look ${SECRET}`.length)]]);
  });
});

/** As DuckDB tells of a file's columns: physical type, what it stands for, digits behind the point. */
const PARQUET_TYPES: Readonly<Record<string, string>> = {
  varchar: "BYTE_ARRAY UTF8",
  bigint: "INT64 INT_64",
  integer: "INT32 INT_32",
  double: "DOUBLE",
  "decimal(18,9)": "INT64 DECIMAL 18 9",
  boolean: "BOOLEAN",
  date: "INT32 DATE",
  timestamptz: "INT64 TIMESTAMP_MICROS UTC",
};

describe("columns", () => {
  it("of each file are those of the schema, in types that every reader has", async () => {
    await withMemory(async (connection) => {
      for (const { path, relation } of readManifest(whole, "desk").files) {
        const rows = (
          await connection.runAndReadAll(
            `select name, concat_ws(' ', type, converted_type, precision, nullif(scale, 0),
               case when logical_type like '%isAdjustedToUTC=1%' then 'UTC' end)
             from parquet_schema('${whole}/${path}') where type is not null`,
          )
        ).getRowsJson();
        const found = Object.fromEntries(rows.map(([name, type]) => [name, type]));
        const expected = declared(relation).map(([name, type]) => [name, PARQUET_TYPES[type]]);
        expect([path, found]).toEqual([path, Object.fromEntries(expected)]);
      }
    });
  });

  it("are published for every table and for each view that adds up", () => {
    const names = Object.keys(readManifest(whole, "desk").relations);
    expect(names.toSorted()).toEqual(
      [
        ...Object.keys(tables).map((name) => `base.${name}`),
        ...[...PUBLISHED_VIEWS].map((name) => `v1.${name}`),
      ].toSorted(),
    );
  });
});

function declared(relation: string): [string, string][] {
  const name = relation.slice(relation.indexOf(".") + 1);
  if (relation.startsWith("v1.")) {
    const view = golden.find((candidate) => candidate.view === name);
    return (view?.columns ?? []).map((column) => [column.name, goldenType(column.type)]);
  }
  const table = Object.values(tables).find((candidate) => candidate.name === name);
  return Object.entries(table?.columns ?? {}).map(([column, { type }]) => [column, type]);
}

function goldenType(type: string): string {
  return type === "TIMESTAMP WITH TIME ZONE" ? "timestamptz" : type.toLowerCase();
}
