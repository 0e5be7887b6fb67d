import { spawnSync } from "node:child_process";
import { chownSync, lchownSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

const NOBODY = 65_534;

export const isRoot = process.getuid?.() === 0;

/**
 * Whom to run the program as where rights have to count: root may read everything, so then it is nobody. Null
 * where nobody cannot run it, as when the folder of the program is closed to others.
 */
export function ordinaryUser(): { readonly uid?: number } | null {
  if (!isRoot) return {};
  const { status } = spawnSync(process.execPath, [resolve("dist/pipeline/cli.js"), "--version"], {
    cwd: "/",
    uid: NOBODY,
    gid: NOBODY,
    env: { PATH: process.env["PATH"], HOME: "/" },
  });
  if (status === 0) return { uid: NOBODY };
  process.stdout.write("skipped: root cannot be refused anything, and nobody cannot run the program\n");
  return null;
}

/** Gives a folder and all in it to the ordinary user. */
export function giveAway(folder: string): void {
  if (!isRoot) return;
  chownSync(folder, NOBODY, NOBODY);
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    lchownSync(join(folder, name), NOBODY, NOBODY);
}
