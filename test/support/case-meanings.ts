/** What a key of a case's expectations means: a query whose answer has to be what the key says. */
export interface Meaning {
  readonly sql: string;
  /** The expectation lists answers that may all stand. */
  readonly isChoice?: boolean;
}

export type Meanings = Readonly<Record<string, string | Meaning>>;

/** Keys that explain, or name a number that a wrong loader would show. */
export const NOTES: ReadonlySet<string> = new Set([
  "note",
  "rule",
  "wrong",
  "wrong_if_added",
  "wrong_if_recursive_sum",
  "parent_session_field",
  "chain",
]);

/** Keys that a test of their own covers, by case: they are about a run, not about its rows. */
export const TESTED_APART: Readonly<Record<string, readonly string[]>> = {
  "15-broken-line-in-the-middle": ["exit", "error_mentions"],
  "19-lone-surrogates-nul-bad-utf8": ["text_entry_10000001", "parquet_readable_by_other_readers"],
  "25-day-boundaries-and-dst": ["cost_by_day_America/Los_Angeles"],
};

const COST = "select coalesce(sum(cost_usd), 0) from base.usage where is_counted";
const COPIES = "select count(*) from base.entries where is_copy";
const OWNED = "select count(*) from base.entries where not is_copy";
const SESSION_MONEY = (columns: string, where: string): string =>
  `select ${columns} from v1.spend_by_session
  left join v1.session_families using (session_key)
  inner join base.sessions using (session_key) where ${where}`;

export const COMMON: Meanings = {
  sessions: "select count(*) from v1.sessions",
  v1_sessions: "select count(*) from v1.sessions",
  base_sessions: "select count(*) from base.sessions",
  distinct_session_keys: "select count(distinct session_key) from base.sessions",
  entries: "select count(*) from base.entries where is_present",
  entries_present: "select count(*) from base.entries where is_present",
  entries_distinct: OWNED,
  entries_owned: OWNED,
  copies: COPIES,
  duplicates_dropped: COPIES,
  usage_rows: "select count(*) from base.usage",
  cost_usd: COST,
  errors: "select count(*) from base.rejects",
  lines_bad: "select line_number as line from base.rejects order by all",
  files_skipped: "select count(*) from base.files where skip_reason is not null",
  format_version: "select distinct format_version from base.sessions",
  leaves: "select count(*) from v1.branches",
};

export const CASES: Readonly<Record<string, Meanings>> = {
  "01-fork-copies-history": {
    entries_in_files: "select count(*) from base.entries",
    naive_cost_usd_wrong: "select sum(cost_usd) from base.usage",
    cost_by_session_owned:
      "select '...' || right(session_id, 4) as key, cost_usd as value from v1.spend_by_session",
    // A fork before the first answer and a clone are one and the same on disk.
    parent_link: {
      sql: "select distinct parent_link from base.sessions where parent_link is not null",
      isChoice: true,
    },
  },
  "02-fork-whose-parent-is-gone": {
    parent_resolved: `select '...' || right(session_id, 4) as key, parent_session_key is not null as value
      from base.sessions`,
  },
  "03-subagent-in-parent-and-own-file": {
    naive_cost_usd_wrong: "select sum(cost_usd) from base.usage",
    parent_session: SESSION_MONEY(
      "cost_usd, subagent_cost_usd, total_cost_usd, family_cost_usd",
      "base.sessions.parent_session_key is null",
    ),
    child_session: SESSION_MONEY(
      "cost_usd, sessions.parent_link",
      "base.sessions.parent_session_key is not null",
    ),
    tool_result_row: {
      sql: "select is_counted, not_counted_reason from base.usage where source = 'tool_result'",
      isChoice: true,
    },
  },
  "04-subagent-only-in-details": {
    cost_usd_session: "select cost_usd from v1.spend_by_session",
    cost_usd_delegated: `${COST} and source = 'subagent'`,
    cost_usd_all: COST,
    session: SESSION_MONEY("cost_usd, subagent_cost_usd, total_cost_usd", "true"),
    subagent_rows_counted: "select count(*) from base.usage where source = 'subagent' and is_counted",
  },
  "06-all-usage-carriers": {
    assistant_only_cost_wrong: `${COST} and source = 'assistant'`,
    cost_by_carrier:
      "select source as key, sum(cost_usd) as value from base.usage where is_counted group by all",
  },
  "07-abandoned-branches-and-two-roots": {
    roots: "select count(*) from base.entries where parent_entry_seq is null and not is_orphan",
    branch_points: "select count(*) from base.entries where child_count > 1",
    active_leaf: "select leaf_entry_id from v1.branches where is_active",
    cost_on_active_branch: `select sum(cost_usd) from base.usage inner join base.entries
      using (session_key, entry_seq) where is_on_active_branch`,
    cost_abandoned: "select abandoned_cost_usd from v1.spend_by_session",
  },
  "08-zero-or-missing-cost": {
    cost_usd_recorded: COST,
    rows_cost_recorded_zero_with_tokens:
      "select count(*) from base.usage where cost_status = 'zero' and input_tokens > 0",
    rows_cost_missing: "select count(*) from base.usage where cost_status = 'missing' and cost_usd is null",
    tokens: `select sum(input_tokens) as input, sum(output_tokens) as output,
      sum(cache_read_tokens) as "cacheRead" from v1.spend_daily`,
    unpriced_tokens: { sql: "select sum(unpriced_tokens) from v1.spend_daily", isChoice: true },
  },
  "09-negative-sentinel-cost": {
    rows_cost_invalid: "select count(*) from base.usage where cost_status = 'invalid'",
    invalid_row: `select cost_usd, cost_status, cost_raw, is_counted, not_counted_reason
      from base.usage where cost_status = 'invalid'`,
    request_count: "select sum(request_count) from v1.spend_daily",
    input_tokens: "select sum(input_tokens) from v1.spend_daily",
    data_quality: `select case when sum(occurrence_count) = 1 then 'names the invalid cost' end
      from v1.data_quality where kind = 'invalid_cost'`,
  },
  "10-reasoning-and-1h-cache-are-subsets": {
    tokens_total: `select sum(input_tokens + output_tokens + cache_read_tokens + cache_write_tokens)
      from v1.spend_daily`,
    output: "select sum(output_tokens) from v1.spend_daily",
    reasoning: "select sum(reasoning_tokens) from base.usage",
    cacheWrite: "select sum(cache_write_tokens) from v1.spend_daily",
    cacheWrite1h: "select sum(cache_write_1h_tokens) from base.usage",
  },
  "11-failures-of-every-kind": {
    failed_requests: "select count(*) from v1.failed_requests where stop_reason = 'error'",
    aborted_requests: "select count(*) from v1.failed_requests where stop_reason = 'aborted'",
    aborted_cost_usd: "select sum(cost_usd) from v1.failed_requests where stop_reason = 'aborted'",
    tool_errors: "select sum(failed_count) from v1.tool_failures",
    tool_error_rate:
      "select tool_name as key, failed_count || '/' || call_count as value from v1.tool_failures",
    user_shell_failures: "select count(*) from v1.shell_failures where exit_code <> 0",
    user_shell_cancelled: `select count(*) from v1.shell_failures
      where is_cancelled and exit_code is null`,
    length_stops: "select count(*) from base.messages where stop_reason = 'length'",
    error_groups: `select count(distinct error_message_normalized) from v1.failed_requests
      where stop_reason = 'error'`,
  },
  "13-no-header-at-all": {
    files: "select count(*) from base.files",
    slice: `select 'no header in the first ten lines: no session, listed in base.files with a skip_reason'
      from base.files where path like '%/slice.jsonl' and skip_reason is not null and session_key is null`,
  },
  "15-broken-line-in-the-middle": {
    lines_bad: `select line_number as line,
      case when message like '%escape%' then 'invalid escape' else message end as reason from base.rejects`,
    orphans: "select count(*) from base.entries where is_orphan",
    on_active_branch: "select count(*) from base.entries where is_on_active_branch",
  },
  "17-bom-crlf-blank-lines": {
    project_path: "select project_path from v1.sessions",
    project_name: "select project_name from base.sessions",
  },
  "18-unicode-line-separators-in-strings": {},
  "19-lone-surrogates-nul-bad-utf8": {},
  "23-unknown-types-roles-blocks-fields": {
    unknown_types:
      "select detail as key, occurrence_count as value from v1.data_quality where kind = 'unknown_entry_type'",
    unknown_roles:
      "select detail as key, occurrence_count as value from v1.data_quality where kind = 'unknown_role'",
    unknown_stop_reasons:
      "select detail as key, occurrence_count as value from v1.data_quality where kind = 'unknown_stop_reason'",
    active_labels: "select count(*) from v1.labels",
    session_name: "select name from v1.sessions",
  },
  "24-odd-usage-values": {
    rows_usage_missing: `select occurrence_count from v1.data_quality where kind = 'missing_usage'`,
    rows_cost_missing: {
      sql: "select count(*) from base.usage where cost_status = 'missing'",
      isChoice: true,
    },
    rows_token_value_rejected: "select count(*) from base.usage where tokens_raw is not null",
    total_tokens_mismatch:
      "select sum(occurrence_count) from v1.data_quality where kind = 'total_tokens_mismatch'",
    rows_cost_invalid: "select count(*) from base.usage where cost_status = 'invalid'",
    token_values: `select entry_id as key, {'input': input_tokens, 'output': output_tokens} as value
      from base.usage where tokens_raw is not null`,
    data_quality: `select case when sum(occurrence_count) = 2 then 'names the invalid token counts' end
      from v1.data_quality where kind = 'invalid_token_count'`,
  },
  "25-day-boundaries-and-dst": {
    cost_by_day_utc: `select spent_on as key, sum(cost_usd)::decimal(18, 9) as value
      from v1.spend_daily group by all`,
  },
  "26-entry-time-is-the-end-message-time-the-start": {
    entry_ts: `select strftime(entry_at, '%Y-%m-%dT%H:%M:%S.%gZ') from base.messages where role = 'assistant'`,
    message_ts: `select strftime(message_at, '%Y-%m-%dT%H:%M:%S.%gZ') from base.messages where role = 'assistant'`,
    duration_s: "select duration_ms / 1000 from base.messages where role = 'assistant'",
    occurred_on_utc: "select occurred_on from base.messages where role = 'assistant'",
    spent_on_utc: "select spent_on from v1.spend_daily",
  },
  "30-folder-name-is-not-the-path": {
    cost_by_project_path: "select project_path as key, cost_usd as value from v1.spend_by_project",
    session_ids: "select session_id from v1.sessions order by all",
  },
  "32-portable-export-beside-the-original": {
    is_copy_only: `select 'the export (' || left(parse_filename(path), 19) || ')'
      from base.sessions where is_copy_only`,
    spend_by_session_rows: "select count(*) from v1.spend_by_session",
    entries: "select count(*) from base.entries",
    project_path: "select distinct project_path from v1.spend_by_session",
  },
  "34-empty-and-header-only": {
    sessions: "select count(*) from base.sessions",
    files_empty: "select count(*) from base.files where kind = 'empty'",
  },
  "36-context-edit-changes-no-money": {
    context_edits: "select count(*) from base.entries where entry_type = 'context_edit'",
  },
  "38-prompt-text-shapes": {
    user_prompts: "select count(*) from base.messages where role = 'user'",
    first_prompt_shown: "select first_prompt from v1.sessions",
    prompt_3: "select prompt from base.messages where entry_id = '10000003'",
    prompt_4_text: "select text from base.messages where entry_id = '10000004'",
    images: "select sum(image_count) from base.messages",
    image_bytes_in_table: `select case when max(image_bytes) = 1 and not bool_or(payload_json like '%AA==%')
      then 'size only, not the base64' end from base.messages inner join base.entries using (session_key, entry_seq)`,
  },
};
