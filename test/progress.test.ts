import { describe, expect, it } from "vitest";
import { progressLine, readableBytes } from "../pipeline/progress.js";

describe("progressLine", () => {
  it("writes one line over and over, not more often than one can read, and takes it away", () => {
    const written: string[] = [];
    const line = progressLine((text) => written.push(text));
    line.show({ filesDone: 1, filesTotal: 3, bytesDone: 2_500_000 });
    line.show({ filesDone: 2, filesTotal: 3, bytesDone: 2_600_000 });
    line.clear();
    line.clear();
    expect(written).toEqual(["\r\u001b[Kreading 1 of 3 files, 2.5 MB", "\r\u001b[K"]);
  });
});

describe("readableBytes", () => {
  it.each([
    [999, "1.0 kB"],
    [14_013, "14.0 kB"],
    [2_500_000, "2.5 MB"],
  ])("shows %d bytes as %s", (bytes, text) => {
    expect(readableBytes(bytes)).toBe(text);
  });
});
