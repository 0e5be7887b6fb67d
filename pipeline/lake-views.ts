import { quoteName } from "../schema/ddl.js";
import { type LakeDialect, lakeTables } from "./publish/lake-tables.js";
import type { Manifest } from "./publish/manifest.js";
import { lakeViews } from "./views/lake-views.js";
import { orderViews } from "./views/order-views.js";
import { readViews } from "./views/read-views.js";

/** A view over a lake, in the order of creation: `lake`, then `base`, `core` and `v1`. */
export interface ViewOverLake {
  readonly schema: "lake" | "base" | "core" | "v1";
  readonly name: string;
  readonly query: string;
  /** True for what several machines' files are joined by: few rows, which many views read. */
  readonly isResolution: boolean;
}

export const LAKE_SCHEMAS = ["lake", "base", "core", "v1"] as const;

/** All views that make the files of a lake what a warehouse shows. */
export function viewsOverLake(manifests: readonly Manifest[], dialect: LakeDialect): ViewOverLake[] {
  return [
    ...lakeTables(manifests, dialect).map((table) => ({
      ...table,
      schema: "lake" as const,
      isResolution: false,
    })),
    ...lakeViews(manifests.length).map((view) => ({ ...view, isResolution: view.schema === "lake" })),
    ...orderViews(readViews()).map(({ schema, name, query }) => ({
      schema,
      name,
      query,
      isResolution: false,
    })),
  ];
}

export function viewName({ schema, name }: ViewOverLake): string {
  return `${schema}.${quoteName(name)}`;
}
