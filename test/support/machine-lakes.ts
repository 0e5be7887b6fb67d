import { join } from "node:path";
import { publish } from "./lake.js";
import { type LoadOptions, load } from "./proof-warehouse.js";
import type { Files } from "./proof-world.js";
import { asVersion1, header, type Line, reply, user, writeSession } from "./world-sessions.js";

/** Sessions of each machine, by its name. */
export type Homes = Readonly<Record<string, Files>>;

/** Loads each machine's sessions into a warehouse of its own, and publishes all into one lake without text. */
export async function lakeOfHomes(
  folder: string,
  homes: Homes,
  options: Readonly<Record<string, LoadOptions>> = {},
): Promise<string> {
  const lake = join(folder, "lake");
  for (const [machine, files] of Object.entries(homes)) {
    const sessions = join(folder, machine);
    for (const [path, lines] of Object.entries(files)) writeSession(join(sessions, path), lines);
    const dbPath = join(folder, `${machine}.duckdb`);
    await load(dbPath, [sessions], { machine, ...options[machine] });
    await publish(dbPath, lake);
  }
  return lake;
}

const PARENT_FILE = "2026-01-05T09-00-00-000Z_s0000001.jsonl";
const CHILD_FILE = "2026-01-05T09-00-20-000Z_s0000002.jsonl";
const PARENT_PATH = `/home/ada/.pi/agent/sessions/--home-ada-shop--/${PARENT_FILE}`;

/** Four records: two prompts and two replies of 0.01 and 0.02 dollars, with ids that start so. */
function conversation(prefix: string): readonly Line[] {
  const id = (n: number): string => `${prefix}000000${n}`;
  return [
    user(id(1), null, 1),
    reply(id(2), id(1), 3, { cost: 0.01 }),
    user(id(3), id(2), 5, "and the cart"),
    reply(id(4), id(3), 8, { cost: 0.02, text: "the cart too" }),
  ];
}

function version1(lines: readonly Line[]): readonly Line[] {
  const { version: _version, ...first } = header("s0000001", 0);
  return [first, ...lines.map(asVersion1)];
}

const own = [user("c0000005", "c0000004", 21), reply("c0000006", "c0000005", 23, { cost: 0.04 })];

function childOf(id: string): readonly Line[] {
  const first = header(id, 10, { parentSession: PARENT_PATH });
  return [first, user(`${id}1`, null, 10, "look"), reply(`${id}2`, `${id}1`, 12, { cost: 0.01 })];
}

/**
 * One session's records on two machines, under ids that nobody has in common, with the dollars that were
 * paid: version 1 had no ids, and each migration makes random ones. The last two only look alike.
 */
export const MIGRATED_APART: readonly (readonly [string, Homes, number])[] = [
  [
    "a version 1 file and its migrated copy",
    {
      desk: { [PARENT_FILE]: version1(conversation("a")) },
      laptop: { [PARENT_FILE]: [header("s0000001", 0), ...conversation("b"), ...own] },
    },
    0.07,
  ],
  [
    "two migrated copies",
    {
      desk: { [PARENT_FILE]: [header("s0000001", 0), ...conversation("a")] },
      laptop: { [PARENT_FILE]: [header("s0000001", 0), ...conversation("b")] },
    },
    0.03,
  ],
  [
    "three migrated copies",
    {
      desk: { [PARENT_FILE]: [header("s0000001", 0), ...conversation("b")] },
      laptop: { [PARENT_FILE]: [header("s0000001", 0), ...conversation("a")] },
      tablet: { [PARENT_FILE]: [header("s0000001", 0), ...conversation("c")] },
    },
    0.03,
  ],
  [
    "a parent and its branch, migrated apart",
    {
      desk: { [PARENT_FILE]: [header("s0000001", 0), ...conversation("a")] },
      laptop: {
        [CHILD_FILE]: [header("s0000002", 20, { branchedFrom: PARENT_PATH }), ...conversation("c"), ...own],
      },
    },
    0.07,
  ],
  [
    "two branches of one parent that no machine holds",
    {
      desk: { "b.jsonl": [header("s0000002", 20, { branchedFrom: PARENT_PATH }), ...conversation("b")] },
      laptop: { "c.jsonl": [header("s0000003", 30, { parentSession: PARENT_PATH }), ...conversation("c")] },
    },
    0.03,
  ],
  [
    "a copy that one machine knows in both editions",
    {
      desk: {
        [`old/${PARENT_FILE}`]: version1(conversation("a")),
        [`new/${PARENT_FILE}`]: [header("s0000001", 0), ...conversation("b")],
      },
      laptop: { [PARENT_FILE]: [header("s0000001", 0), ...conversation("c")] },
    },
    0.03,
  ],
  [
    "two parallel children of one parent, equal to the letter",
    {
      desk: { [PARENT_FILE]: [header("s0000001", 0), ...conversation("a")], "c1.jsonl": childOf("c1") },
      laptop: { "c2.jsonl": childOf("c2") },
    },
    0.05,
  ],
  [
    "two sessions that have nothing to do with each other",
    {
      desk: { "a.jsonl": [header("s0000001", 0), ...conversation("a")] },
      laptop: { "b.jsonl": [header("s0000002", 0), ...conversation("b")] },
    },
    0.06,
  ],
];
