import { PipelineError } from "../errors.js";
import type { ViewFile } from "./read-views.js";

/**
 * Names of the tables and views that a query reads, as `schema.name`. Read from the text, which needs no
 * engine: our queries qualify every table in `from` and `join`, and nothing but tables.
 */
export function readDependencies(query: string): string[] {
  const text = query.replaceAll(/'(?:[^']|'')*'/g, "''");
  const names = Array.from(text.matchAll(/\b(?:from|join)\s+((?:base|core|v1)\.[a-z_0-9]+)/g));
  return [...new Set(names.map((match) => match[1] ?? ""))].toSorted();
}

/** Views in an order in which each comes after those it reads. */
export function orderViews(views: readonly ViewFile[]): ViewFile[] {
  const byName = new Map(views.map((view) => [qualifiedName(view), view]));
  const ordered = new Set<ViewFile>();

  const visit = (view: ViewFile, path: readonly string[]): void => {
    const name = qualifiedName(view);
    if (path.includes(name)) throw new PipelineError("FAILED", `views read each other: ${path.join(" > ")}`);
    if (ordered.has(view)) return;
    for (const dependency of readDependencies(view.query)) {
      const read = byName.get(dependency);
      if (read !== undefined) visit(read, [...path, name]);
      else if (!dependency.startsWith("base.")) {
        throw new PipelineError("FAILED", `${name} reads ${dependency}, which is no view`);
      }
    }
    ordered.add(view);
  };

  for (const view of views) visit(view, []);
  return [...ordered];
}

export function qualifiedName(view: ViewFile): string {
  return `${view.schema}.${view.name}`;
}
