import { createHash } from "node:crypto";

/** Shorter than any file system's limit, together with a load's number. */
const MOST_CHARS = 100;
const PLAIN = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;

/**
 * Name of a machine in file names and addresses: as it is where only letters, digits, `.`, `_` and `-` are
 * in it, else with the others replaced and a hash that keeps it apart from its likes.
 */
export function fileName(machine: string): string {
  if (PLAIN.test(machine) && machine.length <= MOST_CHARS && !machine.endsWith(".columns")) return machine;
  const hash = createHash("sha256").update(machine).digest("hex").slice(0, 8);
  const plain = machine.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, MOST_CHARS);
  return `${plain}~${hash}`;
}

/** Name of a new file: by the load, with a number where files of the same load are there already. */
export function partName(machine: string, loadId: number, isTaken: (name: string) => boolean): string {
  const stem = `${fileName(machine)}-${loadId}`;
  let name = `${stem}.parquet`;
  for (let number = 2; isTaken(name); number += 1) name = `${stem}.${number}.parquet`;
  return name;
}

/** Ending of a file that is still being written, kept apart from all patterns that readers use. */
export const UNFINISHED = ".unfinished";

/** Tells the files of one machine, finished or not, from those of others, such as `a` from `a-3`. */
export function ownFiles(machine: string): (path: string) => boolean {
  const escaped = fileName(machine).replaceAll(".", "\\.");
  const pattern = new RegExp(`^${escaped}-\\d+(\\.\\d+)?\\.parquet(\\${UNFINISHED})?$`);
  return (path) => pattern.test(path.slice(path.lastIndexOf("/") + 1));
}
