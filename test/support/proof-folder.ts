import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A folder for the tests of a file, removed after the last of them. */
export function proofFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "piquet-proof-")));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
