import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commands } from "../../pipeline/commands/index.js";
import { parseArgs } from "../../pipeline/parse-args.js";
import { tempFolder } from "../support/temp-folder.js";

const FOLDER = "examples/nightly";
const SERVICE = readFileSync(join(FOLDER, "piquet.service"), "utf8");
const TIMER = readFileSync(join(FOLDER, "piquet.timer"), "utf8");
const CRON = readFileSync(join(FOLDER, "piquet.cron"), "utf8");
const PLIST = readFileSync(join(FOLDER, "dev.piquet.nightly.plist"), "utf8");

function has(program: string): boolean {
  const found = spawnSync(program, ["--version"]).error === undefined;
  if (!found) console.info(`skipped: ${program} is not here`);
  return found;
}

const CRON_FIELD = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

/** What is wrong with a line of a crontab, by the rules of crontab(5). */
function cronProblem(line: string): string | null {
  if (line === "" || line.startsWith("#") || /^[A-Z_]+ *=/.test(line)) return null;
  const [, times = "", command = ""] = /^((?:\S+\s+){5})(\S.*)$/.exec(line) ?? [];
  const fields = times.trim().split(/\s+/);
  if (fields.length !== 5) return "not five fields and a command";
  const bad = fields.find((field, index) => !isCronField(field, CRON_FIELD[index] ?? [0, 0]));
  if (bad !== undefined) return `not a time: ${bad}`;
  return /(?<!\\)%/.test(command) ? "a % that cron takes for a line feed" : null;
}

function isCronField(field: string, [least, most]: readonly [number, number]): boolean {
  return field.split(",").every((part) => {
    const [range = "", step = "1"] = part.split("/");
    const bounds = range === "*" ? [least, most] : range.split("-").map(Number);
    return Number(step) >= 1 && bounds.every((bound) => bound >= least && bound <= most);
  });
}

/** Arrays, dictionaries, texts and numbers of a property list. */
function readPlist(xml: string): unknown {
  const tokens = [...xml.matchAll(/<(\/?)(dict|array)>|<(key|string|integer)>([^<]*)<\/\3>/g)];
  const next = (): unknown => {
    const [, , container, leaf, text = ""] = tokens.shift() ?? [];
    if (leaf !== undefined) return leaf === "integer" ? Number(text) : text;
    const values: unknown[] = [];
    while (tokens[0]?.[1] !== "/") values.push(next());
    tokens.shift();
    if (container === "array") return values;
    return Object.fromEntries(
      values.flatMap((key, index) => (index % 2 === 0 ? [[String(key), values[index + 1]]] : [])),
    );
  };
  return next();
}

describe("the nightly job", () => {
  it.each([
    ["systemd", /^ExecStart=\/usr\/bin\/env piquet (.*)$/m.exec(SERVICE)?.[1]],
    ["cron", /piquet (.*?) >>/.exec(CRON)?.[1]],
    [
      "launchd",
      [...PLIST.matchAll(/<string>([^<]*)<\/string>/g)]
        .map((found) => found[1])
        .slice(3, 6)
        .join(" "),
    ],
  ])("of %s is a command line that piquet takes", async (_by, line) => {
    const parsed = await parseArgs((line ?? "").split(" "), commands, "0");
    expect(parsed?.command.name).toBe("ingest");
    expect(parsed?.flags).toMatchObject({ json: true, quiet: true });
  });

  it.skipIf(!has("systemd-analyze"))("is a service and a timer that systemd takes without a word", () => {
    const folder = tempFolder();
    cpSync(FOLDER, folder, { recursive: true });
    const units = ["piquet.service", "piquet.timer"].map((name) => join(folder, name));
    const verified = spawnSync("systemd-analyze", ["verify", "--user", ...units], {
      encoding: "utf8",
      env: { ...process.env, XDG_RUNTIME_DIR: folder },
    });
    expect([verified.status, verified.stdout, verified.stderr]).toEqual([0, "", ""]);
  });

  it("has a timer for its service that makes up for missed nights", () => {
    expect(TIMER).toMatch(/^OnCalendar=\*-\*-\* 02:30:00$/m);
    expect(TIMER).toMatch(/^Persistent=true$/m);
    expect(SERVICE).toMatch(/^Type=oneshot$/m);
  });

  it("is a line that cron takes", () => {
    expect(CRON.split("\n").map(cronProblem).filter(Boolean)).toEqual([]);
    expect(
      ["61 2 * * * true", "30 2 * * true", "30 2 * * * date +%F", "*/5 2-4 1,15 * 7 true"].map(cronProblem),
    ).toEqual([
      "not a time: 61",
      "not five fields and a command",
      "a % that cron takes for a line feed",
      null,
    ]);
  });

  it("is a property list with what launchd needs", () => {
    expect(readPlist(PLIST)).toMatchObject({
      Label: "dev.piquet.nightly",
      ProgramArguments: ["/usr/bin/env", "piquet", "ingest", "--json", "--quiet"],
      StartCalendarInterval: { Hour: 2, Minute: 30 },
      StandardOutPath: expect.stringMatching(/^\//),
      Umask: 0o077,
    });
  });

  it.skipIf(!has("xmllint"))("is a property list that is well-formed", () => {
    const { status, stderr } = spawnSync(
      "xmllint",
      ["--noout", "--nonet", join(FOLDER, "dev.piquet.nightly.plist")],
      {
        encoding: "utf8",
      },
    );
    expect([status, stderr]).toEqual([0, ""]);
  });
});
