import { existsSync } from "node:fs";

/** Folder of the larger test data, null where it is not there. */
export function testDataFolder(): string | null {
  const folder = process.env["PIQUET_TEST_DATA"];
  return folder !== undefined && existsSync(folder) ? folder : null;
}
