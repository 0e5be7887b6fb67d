import { PipelineError } from "./errors.js";
import type { ProjectRule } from "./flow.js";
import { isRecord, type Settings, type World } from "./settings.js";

/** Name of the setting; it stands in the config file alone. */
export const PROJECTS = "projects";

/**
 * Rules that say which folder belongs to which project, from `"projects": {"<folders>": "<project>"}`, `~`
 * replaced by the home directory. Folders of other machines are legal, so nothing has to exist. Throws
 * `USAGE` for anything that is no object of texts.
 */
export function readProjects(settings: Settings, world: World): readonly ProjectRule[] {
  const given = settings.get(PROJECTS);
  if (given === undefined) return [];
  if (!isRecord(given.value))
    throw new PipelineError("USAGE", `${given.origin}: expected an object of folders and their projects`);
  return Object.entries(given.value).map(([folders, project]) => {
    if (folders === "" || typeof project !== "string" || project === "") {
      throw new PipelineError("USAGE", `${given.origin}: expected a folder for "${folders}"`);
    }
    return { folders: fromHome(folders, world), projectPath: withoutEnd(fromHome(project, world)) };
  });
}

function fromHome(path: string, world: World): string {
  return path === "~" || path.startsWith("~/") ? `${world.homeDir}${path.slice(1)}` : path;
}

function withoutEnd(path: string): string {
  return path.replace(/(?<=.)[/\\]+$/, "");
}
