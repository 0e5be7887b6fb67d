import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { corpusRows } from "../support/corpus-rows.js";
import { testDataFolder } from "../support/test-data.js";

/** What Pi 1.6.0, and a plain reading of the lines, said of a file; the rest of it is in `oracle.test.ts`. */
interface PiAnswer {
  readonly file: string;
  readonly raw: Readonly<Record<"bytes" | "lines" | "blank" | "headers" | "objects", number>> & {
    readonly version: number | null;
    readonly bom: boolean;
  };
  readonly rejected?: boolean;
  readonly skipped?: string;
  readonly header: {
    readonly timestamp: string;
    readonly parentSession: string | null;
    readonly branchedFrom: string | null;
  };
  readonly entries: number;
  readonly distinctIds: number;
  readonly byType: Readonly<Record<string, number>>;
  readonly context: { readonly roles: Readonly<Record<string, number>> };
  readonly costByModel?: readonly { readonly key: string; readonly cost: number; readonly tokens: number }[];
  readonly list?: { readonly messageCount: number } | null;
}

const QUERIES = {
  files: `select files.*, sessions.format_version, sessions.parent_session_path,
      strftime(sessions.header_at, '%Y-%m-%dT%H:%M:%S.%gZ') as header_text
    from base.files inner join base.sessions using (session_key)`,
  types: `select sessions.path, entry_type || coalesce('/' || role, '') as key, count(*) as value
    from base.entries inner join base.sessions using (session_key) group by all`,
  ids: `select sessions.path, count(distinct entry_id) as value, bool_and(has_entry_id) as have_ids
    from base.entries inner join base.sessions using (session_key) group by all`,
  roles: `select sessions.path, context_entries.role as key, count(*) as value
    from v1.context_entries inner join base.sessions using (session_key) group by all`,
  models: `select sessions.path, case when usage.source in ('tool_result', 'compaction', 'branch_summary') then 'Tools/summaries'
        else usage.provider || '/' || coalesce(usage.response_model, usage.model_id) end as key,
      sum(usage.cost_usd::double) as cost,
      sum(coalesce(usage.input_tokens, 0) + coalesce(usage.output_tokens, 0)
        + coalesce(usage.cache_read_tokens, 0) + coalesce(usage.cache_write_tokens, 0)) as tokens
    from base.usage inner join base.sessions using (session_key)
    where usage.source <> 'subagent' and usage.usage_seq = 0 group by all having cost > 0 or tokens > 0`,
  list: `select sessions.path, count(*) as messages from base.messages inner join base.sessions using (session_key)
    where entry_type = 'message' group by all`,
} as const;

const data = testDataFolder();
if (data === null) console.info("skipped: PIQUET_TEST_DATA names no folder with Pi's own answers");

describe.skipIf(data === null)("the warehouse beside the rest of Pi's own answers", () => {
  const corpus = join(data ?? "", "corpus");
  const answers = data === null ? [] : readAnswers(join(corpus, "oracle.json"));
  const rowsOf = corpusRows(QUERIES);
  const countsOf = (kind: "types" | "roles", file: string): Record<string, number> =>
    Object.fromEntries(rowsOf(kind, file).map((row) => [String(row["key"]), Number(row["value"])]));

  function compare(found: (answer: PiAnswer) => unknown, said: (answer: PiAnswer) => unknown): void {
    expect(answers.map((one) => [one.file, found(one)])).toEqual(answers.map((one) => [one.file, said(one)]));
  }

  it("counts the same bytes, lines, blank lines and headers", () => {
    compare(
      ({ file }) =>
        rowsOf("files", file).map((f) =>
          [
            f["size_bytes"],
            Number(f["line_count"]) + (Number(f["pending_tail_bytes"]) > 0 ? 1 : 0),
            f["blank_line_count"],
            f["header_count"],
          ].map(Number),
        ),
      ({ raw }) => [[raw.bytes, raw.lines, raw.blank, raw.headers]],
    );
  });
  it("reads the same header", () => {
    compare(
      ({ file }) =>
        rowsOf("files", file).map((f) => [f["format_version"], f["header_text"], f["parent_session_path"]]),
      ({ raw, header }) => [
        [raw.version ?? 1, header.timestamp, header.parentSession ?? header.branchedFrom],
      ],
    );
  });
  it("has the same entries of each type and role, hook messages under their later name", () => {
    compare(
      ({ file }) => countsOf("types", file),
      ({ byType: { "message/hookMessage": hooks = 0, ...others } }) =>
        hooks === 0 ? others : { ...others, "message/custom": (others["message/custom"] ?? 0) + hooks },
    );
  });

  it("has as many ids where each record has one", () => {
    const haveIds = (file: string): boolean => rowsOf("ids", file)[0]?.["have_ids"] === true;
    compare(
      ({ file }) => (haveIds(file) ? Number(rowsOf("ids", file)[0]?.["value"]) : null),
      ({ file, distinctIds }) => (haveIds(file) ? distinctIds : null),
    );
  });

  it("has the same roles in the context; shell commands and the system message of a compaction apart", () => {
    const sent = ({
      system = 0,
      bashExecution: _shell,
      ...roles
    }: Readonly<Record<string, number>>): unknown => [
      roles,
      roles["compactionSummary"] === undefined ? system : null,
    ];
    compare(
      ({ file }) => sent(countsOf("roles", file)),
      ({ context }) => sent(context.roles),
    );
  });

  it("has the same cost and tokens by the model that answered, and for all tools and summaries", () => {
    const rounded = (cost: unknown): number => Number(Number(cost).toFixed(9));
    compare(
      ({ file }) =>
        rowsOf("models", file)
          .map((r) => [r["key"], rounded(r["cost"]), Number(r["tokens"])])
          .toSorted(),
      ({ costByModel = [] }) => costByModel.map((m) => [m.key, rounded(m.cost), m.tokens]).toSorted(),
    );
  });

  it("counts the same messages as Pi's list of sessions, which breaks lines at U+2028 too", () => {
    const isListed = ({ file, list }: PiAnswer): boolean =>
      (list ?? null) !== null && !/[\u2028\u2029]/.test(readFileSync(join(corpus, file), "utf8"));
    compare(
      (answer) => (isListed(answer) ? Number(rowsOf("list", answer.file)[0]?.["messages"] ?? 0) : null),
      (answer) => (isListed(answer) ? answer.list?.messageCount : null),
    );
  });
});

function readAnswers(path: string): readonly PiAnswer[] {
  const oracle: { files: readonly PiAnswer[] } = JSON.parse(readFileSync(path, "utf8"));
  return oracle.files.filter(
    (one) =>
      one.skipped === undefined &&
      one.rejected !== true &&
      !one.raw.bom &&
      one.entries <= one.raw.objects - one.raw.headers,
  );
}
