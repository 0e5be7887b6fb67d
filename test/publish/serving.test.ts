import { chmodSync, cpSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { beforeAll, describe, expect, it } from "vitest";
import golden from "../golden/v1.json" with { type: "json" };
import { writeCopy } from "../support/lake.js";
import { proofFolder } from "../support/proof-folder.js";
import { load, query, queryAll } from "../support/proof-warehouse.js";
import { runPiquet } from "../support/run-piquet.js";
import { sessionText } from "../support/session-text.js";

const folder = proofFolder();
const sessions = join(folder, "sessions");
const dbPath = join(folder, "w.duckdb");
const copy = join(folder, "for readers", "pi.duckdb");
const ALL_VIEWS = golden.map(({ view }) => `select * from v1.${view} order by all`);
const COUNT = "select count(*)::integer as sessions from v1.sessions";

beforeAll(async () => {
  cpSync(resolve("examples/sessions"), sessions, { recursive: true });
  await load(dbPath, [sessions], { machine: "desk" });
});

describe("a copy for readers", () => {
  it("answers every public view as the warehouse does, for its owner alone", async () => {
    expect(await writeCopy(dbPath, copy, "full")).toBe(true);
    expect(await queryAll(copy, ALL_VIEWS)).toEqual(await queryAll(dbPath, ALL_VIEWS));
    expect(statSync(copy).mode & 0o777).toBe(0o600);
  });

  it("has no text unless asked", async () => {
    expect(await writeCopy(dbPath, copy)).toBe(true);
    const counts =
      "select count(text)::integer as texts, sum(text_chars) > 0 as has_sizes from base.messages";
    expect(await query(copy, counts)).toEqual([{ texts: 0, has_sizes: true }]);
  });

  it("keeps the mode that its owner gave it", async () => {
    chmodSync(copy, 0o640);
    await writeCopy(dbPath, copy, "full");
    await writeCopy(dbPath, copy);
    expect(statSync(copy).mode & 0o777).toBe(0o640);
  });

  it("is not written when it is of the last load", async () => {
    const { ino } = statSync(copy);
    expect(await writeCopy(dbPath, copy)).toBe(false);
    expect(statSync(copy).ino).toBe(ino);
  });

  it("is swapped under readers, who keep what they opened", async () => {
    const instance = await DuckDBInstance.create(copy, { access_mode: "READ_ONLY" });
    const reader = await instance.connect();
    const exchange = { at: "2026-02-01T09:00:00.000Z", prompt: "Sweep", costUsd: 1 };
    writeFileSync(join(sessions, "new.jsonl"), sessionText("cccc", [exchange]));
    await load(dbPath, [sessions]);
    expect(await writeCopy(dbPath, copy)).toBe(true);
    expect((await reader.runAndReadAll(COUNT)).getRowsJson()).toEqual([[4]]);
    reader.closeSync();
    instance.closeSync();
    expect(await query(copy, COUNT)).toEqual([{ sessions: 5 }]);
  });

  it("never takes the place of a file that is none", async () => {
    const other = join(folder, "notes.duckdb");
    writeFileSync(other, "my notes");
    const refusal = {
      code: "USAGE",
      message: `${other} is no copy that this program made; it stays as it is`,
    };
    await expect(writeCopy(dbPath, other)).rejects.toMatchObject(refusal);
    expect(readFileSync(other, "utf8")).toBe("my notes");
    await expect(writeCopy(dbPath, dbPath)).rejects.toMatchObject({ code: "USAGE" });
  });
});

describe("piquet publish", () => {
  it("leaves text out whatever is set for loads, unless told on its command line", async () => {
    const env = { PIQUET_CONTENT: "full" };
    const args = ["publish", "--db", dbPath, "--to", "lake", "--json", "--quiet"];
    const first = await runPiquet(args, { home: folder, env });
    expect(JSON.parse(first.stdout)).toMatchObject({ content: "none", machine: "desk" });
    const second = await runPiquet([...args, "--content", "full"], { home: folder, env });
    expect(JSON.parse(second.stdout)).toMatchObject({ content: "full" });
  });

  it("keeps its files to their owner", async () => {
    await runPiquet(["publish", "--db", dbPath, "--to", "mine", "--quiet"], { home: folder });
    const modes = ["mine", "mine/base/usage", "mine/manifest/desk.json", "mine/base/sessions"].map(
      (path) => statSync(join(folder, path)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o700, 0o600, 0o700]);
  });

  it("waits for no one: a second run on the same warehouse ends with 5", async () => {
    const instance = await DuckDBInstance.create(`${dbPath}.publishing`);
    const child = runPiquet(["publish", "--db", dbPath, "--to", "lake"], { home: folder });
    const { exitCode, stderr } = await child;
    instance.closeSync();
    expect([exitCode, stderr]).toEqual([5, expect.stringContaining("is in use by process")]);
  });

  it.each([
    [[], "--to is missing"],
    [["--to", "s3://me:hunter2@lake"], "an address holds no user"],
    [["--to", "lake", "--content", "some"], "--content: expected one of full, none"],
    [["--serving", "v1.duckdb"], "a file not called base"],
  ])("ends with 2 for %j", async (args, message) => {
    const { exitCode, stderr } = await runPiquet(["publish", "--db", dbPath, ...args], { home: folder });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).not.toContain("hunter2");
  });
});
