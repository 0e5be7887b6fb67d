import { call, header, type Line, reply, toolResult, user } from "./world-sessions.js";

/** Path of a parent's session file, without its ending. */
export const PARENT = "--home-ada-shop--/2026-01-05T09-00-00-000Z_s0000001";
export const ON_ADAS_MACHINE = "/home/ada/.pi/agent/sessions";
export const BY_SOURCE = `select source, sum(cost_usd) as cost from base.usage where is_counted group by all order by all`;

/** A parent that spends 0.01 before and 0.02 after a result with these details and this usage. */
export function parent(details: Line, carrier?: Line, fields: Line = {}): readonly Line[] {
  return [
    header("s0000001", 0),
    user("a0000001", null, 1),
    reply("a0000002", "a0000001", 3, { cost: 0.01, calls: [call("t1", "subagent")] }),
    toolResult("a0000003", "a0000002", 30, "t1", {
      details,
      ...(carrier !== undefined && { usage: carrier }),
      ...fields,
    }),
    reply("a0000004", "a0000003", 32, { cost: 0.02 }),
  ];
}

/** Session of a sub-agent with a reply for each cost. */
export function child(id: string, seconds: number, ...costs: readonly number[]): readonly Line[] {
  return [
    header(id, seconds),
    user(`${id}u`, null, seconds + 0.1, "look"),
    ...costs.map((cost, index) =>
      reply(`${id}r${index}`, index === 0 ? `${id}u` : `${id}r${index - 1}`, seconds + 2 + index, { cost }),
    ),
  ];
}

export const runFile = (run: string, index: number): string => `${PARENT}/${run}/run-${index}/session.jsonl`;
export const reported = (run: string, index: number): Line => ({
  sessionFile: `${ON_ADAS_MACHINE}/${runFile(run, index)}`,
});
