import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { MemoryRow, MemoryRows } from "../support/memory-sinks.js";
import { only, readFileRows } from "../support/read-rows.js";
import { testDataFolder } from "../support/test-data.js";

interface PiUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** What Pi 1.6.0 itself said of a file; see the corpus' own notes. */
interface PiAnswer {
  readonly file: string;
  readonly raw: { readonly bom: boolean };
  readonly skipped?: string;
  readonly rejected?: boolean;
  readonly statsError?: string;
  readonly idsArePositions?: boolean;
  readonly header: { readonly id: string };
  readonly entries: number;
  readonly byType: Readonly<Record<string, number>>;
  readonly leafId: string | null;
  readonly branchIds?: readonly string[];
  readonly branchLength: number;
  readonly roots: number;
  readonly forkPoints: number;
  readonly sessionName: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly context: { readonly sourceIds?: readonly string[]; readonly omittedIds: readonly string[] };
  readonly skills?: readonly { id: string; name: string; userMessage: string | null }[];
  readonly stats?: {
    readonly userMessages: number;
    readonly assistantMessages: number;
    readonly toolCalls: number;
    readonly toolResults: number;
    readonly totalMessages: number;
    readonly tokens: PiUsage;
    readonly cost: number;
  };
}

const folder = testDataFolder();
if (folder === null) console.info("skipped: PIQUET_TEST_DATA names no folder with Pi's own answers");

/** Why Pi and the reader have to differ on a file; found by rule, so that no file is listed by hand. */
function differsBecause(answer: PiAnswer): string | null {
  if (answer.raw.bom) return "Pi refuses a file with a byte order mark, the reader strips it";
  if (answer.rejected === true) return "no session";
  if (answer.skipped !== undefined) return "Pi does not end its walk over a loop of parents";
  return null;
}

describe.skipIf(folder === null)("the reader beside Pi's own answers", () => {
  const corpus = join(folder ?? "", "corpus");
  const answers = folder === null ? [] : readAnswers(join(corpus, "oracle.json"));
  const comparable = answers.filter((answer) => differsBecause(answer) === null);

  it("has answers to compare with", () => {
    expect(answers.length).toBe(181);
    expect(comparable.length).toBe(175);
  });

  it.each(comparable.map((answer) => [answer.file, answer] as const))("%s", (file, answer) => {
    const rows = readFileRows(join(corpus, file));
    expect(describeRows(rows, answer)).toEqual(describeAnswer(answer, rows));
  });
});

function readAnswers(path: string): readonly PiAnswer[] {
  const oracle: { files: readonly PiAnswer[] } = JSON.parse(readFileSync(path, "utf8"));
  return oracle.files;
}

function describeRows(rows: MemoryRows, answer: PiAnswer) {
  const links = rows.entry_links;
  const idOf = (row: MemoryRow) => entryName(rows, answer, row["entry_seq"]);
  const session = only(rows.sessions);
  const placed = links.filter((link) => link["context_position"] !== null);
  return {
    id: session["session_id"],
    entries: rows.entries.length,
    byType: countTypes(rows),
    leafId: session["leaf_entry_seq"] === null ? null : entryName(rows, answer, session["leaf_entry_seq"]),
    branchIds: piBranch(rows).map((seq) => entryName(rows, answer, seq)),
    roots: links.filter((link) => link["parent_entry_seq"] === null).length,
    forkPoints: links.filter((link) => Number(link["child_count"]) > 1).length,
    sessionName: session["name"],
    labels: lastLabels(rows),
    context: placed
      .toSorted((a, b) => Number(a["context_position"]) - Number(b["context_position"]))
      .map(idOf),
    stats: only(rows.files)["pi_is_comparable"] === true ? describeTotals(only(rows.files)) : null,
    skills: rows.messages
      .filter((row) => row["skill_name"] !== null)
      .map((row) => [row["entry_id"], row["prompt"]]),
  };
}

function describeAnswer(answer: PiAnswer, rows: MemoryRows) {
  return {
    id: answer.header.id,
    entries: answer.entries,
    byType: answer.byType,
    leafId: answer.leafId,
    branchIds: answer.branchIds,
    roots: answer.roots,
    forkPoints: answer.forkPoints,
    sessionName: answer.sessionName,
    labels: answer.labels,
    context: answer.context.sourceIds?.filter((id) => !isExcludedCommand(rows, id)),
    stats: answer.stats === undefined ? null : describeStats(answer.stats),
    skills: (answer.skills ?? []).map((skill) => [
      skill.id,
      skill.userMessage === null ? `/skill:${skill.name}` : `/skill:${skill.name} ${skill.userMessage}`,
    ]),
  };
}

/** Version 1 has no ids: Pi's answers then name entries by position. */
function entryName(rows: MemoryRows, answer: PiAnswer, seq: unknown): unknown {
  if (answer.idsArePositions === true) return `#${Number(seq) - 1}`;
  return rows.entries[Number(seq) - 1]?.["entry_id"];
}

function countTypes(rows: MemoryRows): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows.entries) {
    const type = row["role"] === null ? row["entry_type"] : `${row["entry_type"]}/${row["role"]}`;
    counts[String(type)] = (counts[String(type)] ?? 0) + 1;
  }
  return counts;
}

/** Pi's branch ends at a missing parent, where the reader's goes on. */
function piBranch(rows: MemoryRows): unknown[] {
  const branch: unknown[] = [];
  let link = rows.entry_links.at(-1);
  while (link !== undefined) {
    branch.unshift(link["entry_seq"]);
    link = rows.entry_links[Number(link["parent_entry_seq"] ?? 0) - 1];
  }
  return branch;
}

function lastLabels(rows: MemoryRows): Record<string, unknown> {
  const labels: Record<string, unknown> = {};
  for (const row of rows.messages) {
    if (row["entry_type"] !== "label") continue;
    const target = String(row["target_entry_id"]);
    if (row["has_label"] === true) labels[target] = row["label"];
    else delete labels[target];
  }
  return labels;
}

function describeTotals(file: MemoryRow) {
  return {
    userMessages: file["pi_user_message_count"],
    assistantMessages: file["pi_assistant_message_count"],
    toolCalls: file["pi_tool_call_count"],
    toolResults: file["pi_tool_result_count"],
    totalMessages: file["pi_message_count"],
    input: file["pi_input_tokens"],
    output: file["pi_output_tokens"],
    cacheRead: file["pi_cache_read_tokens"],
    cacheWrite: file["pi_cache_write_tokens"],
    cost: file["pi_cost_usd"],
  };
}

function describeStats(stats: NonNullable<PiAnswer["stats"]>) {
  const { input, output, cacheRead, cacheWrite } = stats.tokens;
  const { userMessages, assistantMessages, toolCalls, toolResults, totalMessages, cost } = stats;
  return {
    userMessages,
    assistantMessages,
    toolCalls,
    toolResults,
    totalMessages,
    input,
    output,
    cacheRead,
    cacheWrite,
    cost,
  };
}

function isExcludedCommand(rows: MemoryRows, id: string): boolean {
  return rows.messages.some((row) => row["entry_id"] === id && row["is_excluded_from_context"] === true);
}
