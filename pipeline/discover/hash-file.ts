import { createHash } from "node:crypto";
import { closeSync, constants, openSync, readSync } from "node:fs";

const STEP_BYTES = 1 << 20;

// A pipe that took a file's place would block the open for good; the flag does not exist on Windows.
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** SHA-1 of a file's bytes in hex, or null where it cannot be read. */
export function hashFile(path: string): string | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, OPEN_FLAGS);
  } catch {
    return null;
  }
  const hash = createHash("sha1");
  const step = Buffer.allocUnsafe(STEP_BYTES);
  try {
    for (let count = readSync(descriptor, step); count > 0; count = readSync(descriptor, step)) {
      hash.update(step.subarray(0, count));
    }
    return hash.digest("hex");
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}
