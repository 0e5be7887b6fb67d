import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { answersTo, type Expectation, withoutNotes } from "../support/case-answers.js";
import { COMMON, type Meanings } from "../support/case-meanings.js";
import { load } from "../support/proof-warehouse.js";
import { tempFolder } from "../support/temp-folder.js";

const CASES = resolve("test/cases");

const MEANINGS: Meanings = {
  ...COMMON,
  abandoned_cost_usd: "select sum(abandoned_cost_usd) from v1.spend_by_session",
  cost_by_session: "select session_id as key, cost_usd as value from v1.spend_by_session",
  total_by_session: "select session_id as key, total_cost_usd as value from v1.spend_by_session",
  cost_by_source:
    "select source as key, sum(cost_usd) as value from base.usage where is_counted group by all",
  failed_requests: "select sum(failed_request_count) from v1.spend_daily",
  first_prompt: "select first_prompt from v1.sessions",
  jumps: "select count(*) from v1.jumps",
  orphans: "select count(*) from base.entries where is_orphan",
  parent_links: "select session_id as key, parent_link as value from base.sessions",
  pending_tails: "select count(*) from base.files where pending_tail_bytes > 0",
  requests: "select sum(request_count) from v1.spend_daily",
  tool_calls: "select count(*) from base.tool_calls",
};

describe("the small worlds of test/cases", () => {
  it.each(readdirSync(CASES))("%s", async (name) => {
    const expectation: Expectation = JSON.parse(readFileSync(join(CASES, name, "expected.json"), "utf8"));
    const dbPath = join(tempFolder(), "w.duckdb");
    await load(dbPath, [join(CASES, name, "sessions")]);
    expect(await answersTo(expectation, MEANINGS, dbPath)).toEqual(withoutNotes(expectation));
  });
});
