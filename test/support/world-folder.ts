import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Paths of all files below a folder, relative to it, in code unit order. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
}

/** Makes the folder anew with a copy of these files of another one. */
export function refill(folder: string, source: string, paths: readonly string[]): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  addFiles(folder, source, paths);
}

export function addFiles(folder: string, source: string, paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(source, path), join(folder, path));
  }
}

/** Makes the folder anew with the first half of the lines of each of these files, at least one line. */
export function refillWithHalves(folder: string, source: string, paths: readonly string[]): void {
  rmSync(folder, { recursive: true, force: true });
  for (const path of paths) {
    const bytes = readFileSync(join(source, path));
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes.subarray(0, halfOfLines(bytes)));
  }
}

/** Offset behind the line feed that ends the first half of the lines. */
function halfOfLines(bytes: Uint8Array): number {
  const ends: number[] = [];
  bytes.forEach((byte, index) => {
    if (byte === 0x0a) ends.push(index + 1);
  });
  return ends[Math.floor((ends.length - 1) / 2)] ?? bytes.length;
}
