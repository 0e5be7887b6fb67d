import { join } from "node:path";
import { LAKE_SCHEMAS, viewName, viewsOverLake } from "./lake-views.js";
import { folderStore } from "./publish/folder-store.js";
import { duckdbDialect } from "./publish/lake-tables.js";
import { readLake } from "./publish/read-lake.js";
import type { LakeSource } from "./query/open-lake.js";

/** The lake in a folder as its manifests stand now. Throws `WAREHOUSE_MISSING` where there is none. */
export async function openLake(folder: string): Promise<LakeSource> {
  const manifests = await readLake(folderStore(folder));
  const views = viewsOverLake(manifests, duckdbDialect(`${folder}/`));
  return {
    files: manifests.flatMap((manifest) => manifest.files.map((file) => join(folder, file.path))),
    statements: [
      ...LAKE_SCHEMAS.map((schema) => `create schema ${schema}`),
      ...views.map(
        (view) => `create ${view.isResolution ? "table" : "view"} ${viewName(view)} as\n${view.query}`,
      ),
    ],
  };
}
