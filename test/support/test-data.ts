import { existsSync, realpathSync } from "node:fs";

/** Folder of the larger test data, links followed as a load does; null where it is not there. */
export function testDataFolder(): string | null {
  const folder = process.env["PIQUET_TEST_DATA"];
  return folder !== undefined && existsSync(folder) ? realpathSync(folder) : null;
}
