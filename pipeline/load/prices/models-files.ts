import { existsSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { PipelineError } from "../../errors.js";
import { type ModelsJson, parseModelsJson } from "./models-json.js";

const MODELS_FILE = "models.json";

/**
 * The models.json files that price a load, the strongest first: `--models`, Pi's agent folder, the agent
 * folders of the given roots (a root that holds one, or whose parent does where it is named `sessions`).
 * Throws `USAGE` where the file of `--models` is not there; the others may be missing.
 */
export function findModelsFiles(
  roots: readonly string[],
  agentDir: string,
  modelsFlag: string | null,
): string[] {
  if (modelsFlag !== null && !existsSync(modelsFlag))
    throw new PipelineError("USAGE", `no such file: ${modelsFlag}`);
  const folders = [agentDir, ...roots.flatMap(agentDirsOf)];
  const files = folders.map((folder) => join(folder, MODELS_FILE)).filter((file) => existsSync(file));
  return distinctFiles(modelsFlag === null ? files : [modelsFlag, ...files]);
}

function agentDirsOf(root: string): string[] {
  return basename(root) === "sessions" ? [root, dirname(root)] : [root];
}

/** The first spelling of a file stands. */
function distinctFiles(files: readonly string[]): string[] {
  const seen = new Set<string>();
  return files.filter((file) => {
    const real = realpathSync(file);
    return !seen.has(real) && seen.add(real);
  });
}

/** Reads them in order. One that is no JSON, or can't be read, is left out with a warning that quotes nothing. */
export async function readModelsFiles(
  paths: readonly string[],
): Promise<{ files: ModelsJson[]; warnings: string[] }> {
  const files: ModelsJson[] = [];
  const warnings: string[] = [];
  for (const path of paths) {
    const text = await readFile(path, "utf8").catch(() => null);
    const file = text === null ? null : parseModelsJson(text);
    if (file !== null) files.push(file);
    else warnings.push(`${path} ${text === null ? "can't be read" : "is no JSON"}: its prices are not used`);
  }
  return { files, warnings };
}
