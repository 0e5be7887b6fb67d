import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { PipelineError } from "./errors.js";
import { isRecord, parseJson, resolvePath, type World, withoutCredentials } from "./settings.js";

/** Pi's own folder: `PI_CODING_AGENT_DIR`, else `~/.pi/agent`. */
export function agentDirOf(world: World): string {
  const given = world.env["PI_CODING_AGENT_DIR"];
  return given ? resolvePath(given, world.workDir, world.homeDir) : join(world.homeDir, ".pi", "agent");
}

/**
 * The given roots, else every place where Pi may have put sessions and that exists, each once however it is
 * spelt. Throws `USAGE` with the places looked at where a given root or every default one is missing.
 */
export function findRoots(given: readonly string[], world: World): readonly string[] {
  if (given.length === 0) return defaultRoots(world);
  const url = given.find((root) => /^[a-z][a-z0-9+.-]*:\/\//i.test(root));
  if (url !== undefined)
    throw new PipelineError("USAGE", `a root is a local folder, not ${withoutCredentials(url)}`);
  const roots = given.map((root) => resolvePath(root, world.workDir, world.homeDir));
  const missing = roots.filter((root) => !existsSync(root));
  if (missing.length > 0) throw new PipelineError("USAGE", `no such folder: ${missing.join(", ")}`);
  return distinct(roots);
}

function defaultRoots(world: World): readonly string[] {
  const places = [...new Set(defaultPlaces(world))];
  const roots = places.filter((place) => existsSync(place));
  if (roots.length > 0) return distinct(roots);
  throw new PipelineError("USAGE", `no session folder found; looked at ${places.join(", ")}`);
}

function defaultPlaces(world: World): readonly string[] {
  const agentDir = agentDirOf(world);
  const sessionDir = world.env["PI_CODING_AGENT_SESSION_DIR"];
  const configured = sessionDirSetting(agentDir);
  return [
    ...(sessionDir ? [resolvePath(sessionDir, world.workDir, world.homeDir)] : []),
    ...(configured === null ? [] : [resolvePath(configured, agentDir, world.homeDir)]),
    join(agentDir, "sessions"),
    join(world.homeDir, ".pi", "agent", "sessions"),
  ];
}

function sessionDirSetting(agentDir: string): string | null {
  let text: string;
  try {
    text = readFileSync(join(agentDir, "settings.json"), "utf8");
  } catch {
    return null;
  }
  const settings = parseJson(text);
  const sessionDir = isRecord(settings) ? settings["sessionDir"] : undefined;
  return typeof sessionDir === "string" && sessionDir !== "" ? sessionDir : null;
}

/** Two spellings of one folder are one root; the first stands. */
function distinct(roots: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return roots.filter((root) => {
    const real = realpathSync(root);
    return !seen.has(real) && seen.add(real);
  });
}
