import { describe, expect, it } from "vitest";
import { createLogger, type LogLevel } from "../pipeline/log.js";

function linesOf(level: LogLevel, isPlain: boolean): readonly string[] {
  const lines: string[] = [];
  const log = createLogger({ level, isPlain, write: (line) => lines.push(line) });
  log.debug("looked");
  log.info({ load_id: 3, tables: ["usage"] }, "loaded");
  log.error({ code: "FAILED" }, "disk full");
  return lines;
}

describe("createLogger", () => {
  it("writes a JSON line for each event, with its level by name and its time", () => {
    expect(linesOf("debug", false).map((line) => JSON.parse(line))).toEqual([
      { level: "debug", time: expect.stringMatching(/^\d{4}-.*Z$/), msg: "looked" },
      { level: "info", time: expect.any(String), load_id: 3, tables: ["usage"], msg: "loaded" },
      { level: "error", time: expect.any(String), code: "FAILED", msg: "disk full" },
    ]);
  });

  it("writes short lines for a person", () => {
    expect(linesOf("info", true)).toEqual([
      'loaded load_id=3 tables=["usage"]\n',
      "error: disk full code=FAILED\n",
    ]);
  });

  it("keeps to errors when told to be quiet", () => {
    expect(linesOf("error", true)).toEqual(["error: disk full code=FAILED\n"]);
  });
});
