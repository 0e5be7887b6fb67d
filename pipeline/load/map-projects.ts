import { createHash } from "node:crypto";
import type { DuckDBConnection } from "@duckdb/node-api";
import { projectNameOf } from "../../schema/project-name.js";
import type { ProjectRule } from "../flow.js";
import { dropSetting, readSettings, writeSetting } from "./meta-settings.js";
import { stageTexts } from "./run-tables.js";
import { loadSql, queryRows, runLoadSql, textOf } from "./sql.js";

const SETTING = "project_mapping";

/** Changes with the meaning of a rule, so that an upgrade maps all sessions anew. */
const MEANING = 1;

export interface MapOptions {
  readonly rules: readonly ProjectRule[];
  /** Whether the run changed sessions; without that and with the same rules nothing is done. */
  readonly sessionsChanged: boolean;
}

/**
 * Gives every session, gone ones included, the project that the rules make of its folder, and NULL where
 * none matches. Runs in the load's transaction and keeps a hash of the rules in the setting
 * `project_mapping`.
 */
export async function mapProjects(connection: DuckDBConnection, options: MapOptions): Promise<void> {
  const { rules } = options;
  const before = (await readSettings(connection)).get(SETTING);
  const now = rules.length === 0 ? undefined : hashOf(rules);
  if (before === now && (now === undefined || !options.sessionsChanged)) return;

  const rows = await queryRows(connection, loadSql("project_paths"));
  const paths = rows.map((row) => textOf(row, "project_path"));
  const projectOf = projectFinder(rules);
  await stageTexts(
    connection,
    "project_map",
    ["project_path", "mapped_project_path", "mapped_project_name"],
    paths.flatMap((path) => {
      const project = projectOf(path);
      return project === null ? [] : [[path, project, projectNameOf(project)]];
    }),
  );
  await runLoadSql(connection, "apply_project_map");
  if (now === undefined) await dropSetting(connection, SETTING);
  else if (before !== now) await writeSetting(connection, SETTING, now);
}

/**
 * The project of a folder, null where no rule matches. Of the rules that match, the one with the most
 * characters beside its stars holds, then the one without `**`, then the first in code unit order.
 */
export function projectFinder(rules: readonly ProjectRule[]): (folder: string) => string | null {
  const ranked = rules.toSorted(
    (a, b) =>
      literalLength(b) - literalLength(a) ||
      Number(a.folders.includes("**")) - Number(b.folders.includes("**")) ||
      (a.folders < b.folders ? -1 : 1),
  );
  const matchers = ranked.map((rule) => ({ rule, pattern: patternOf(rule.folders) }));
  return (folder) => {
    const path = plainPath(folder);
    return matchers.find(({ pattern }) => pattern.test(path))?.rule.projectPath ?? null;
  };
}

function literalLength(rule: ProjectRule): number {
  return rule.folders.replaceAll("*", "").length;
}

/** `**` as a part stands for any number of parts, none included; `*` for characters within one part. */
function patternOf(folders: string): RegExp {
  const parts = plainPath(folders).split("/");
  const pattern = parts.map((part, index) => {
    const slash = index === 0 ? "" : "/";
    if (part === "**") return index === 0 ? "(?:[^/]*(?:/[^/]+)*)" : "(?:/[^/]+)*";
    const text = part.split(/\*+/).map(escaped).join("[^/]*");
    return slash + (/^\*+$/.test(part) ? "[^/]+" : text);
  });
  return new RegExp(`^${pattern.join("")}$`, "su");
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** Separators of any system alike, none at the end. */
function plainPath(path: string): string {
  return path.replaceAll("\\", "/").replace(/(?<=.)\/+$/, "");
}

function hashOf(rules: readonly ProjectRule[]): string {
  const pairs = rules.map(({ folders, projectPath }) => [folders, projectPath]).toSorted();
  return createHash("sha256")
    .update(JSON.stringify([MEANING, pairs]))
    .digest("hex");
}
