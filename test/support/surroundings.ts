import { tmpdir } from "node:os";
import type { World } from "../../pipeline/settings.js";

/** Surroundings of a user called Ada; her home and working directory are the given folder. */
export function surroundingsIn(folder: string, env: Readonly<Record<string, string>> = {}): World {
  return {
    env,
    homeDir: folder,
    workDir: folder,
    hostName: "ada-laptop",
    timeZone: "Europe/Berlin",
    coreCount: 2,
    memoryBytes: 8 * 2 ** 30,
    tempDir: tmpdir(),
  };
}
