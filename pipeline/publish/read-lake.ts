import { PipelineError } from "../errors.js";
import { isManifestPath, type LakeFile, MANIFEST_FOLDER, type Manifest, parseManifest } from "./manifest.js";
import type { LakeStore } from "./store.js";

/** What a lake holds: a manifest for each machine, by machine. */
export async function readLake(store: LakeStore): Promise<Manifest[]> {
  const paths = [...(await store.list(MANIFEST_FOLDER)).keys()].filter(isManifestPath).toSorted();
  const manifests: Manifest[] = [];
  for (const path of paths) {
    const text = await store.readText(path);
    if (text !== null) manifests.push(parseManifest(text, `${store.place}/${path}`));
  }
  if (manifests.length > 0) return manifests;
  throw new PipelineError(
    "WAREHOUSE_MISSING",
    `no lake at ${store.place}; \`piquet publish --to\` or \`piquet ingest --parquet\` makes one`,
  );
}

/** Files of a base table, which are all of the manifest's structure. */
export function tableFiles(manifest: Manifest, table: string): readonly LakeFile[] {
  return manifest.files.filter((file) => file.relation === `base.${table}`);
}
