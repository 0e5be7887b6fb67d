import { SCHEMA_VERSION } from "../../schema/index.js";
import type { ColumnType } from "../../schema/table.js";
import { PipelineError, refuseNewer } from "../errors.js";
import type { ContentOption } from "../flow.js";
import { hasSafeNames } from "./manifest-shape.js";
import { fileName } from "./names.js";

/** Version of the manifest's own form; a reader refuses a higher one. */
export const MANIFEST_VERSION = 1;

/** One Parquet file of a lake. It never changes: other rows come in a file of another name. */
export interface LakeFile {
  /** Below the lake's folder, parted by slashes. */
  readonly path: string;
  /** `base.entries`, `v1.spend_daily`. */
  readonly relation: string;
  /** UTC month of its rows as YYYY-MM, `unknown`, or null for relations that are not split. */
  readonly month: string | null;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  /** Hash of all values of all rows, whatever their order: equal as long as no row differs. */
  readonly fingerprint: string;
  /** Last load of the warehouse when the file was written. */
  readonly load_id: number;
}

/** What a machine has in a lake. Swapped whole, so that a reader sees all of a run or nothing of it. */
export interface Manifest {
  readonly kind: "piquet-manifest";
  readonly manifest_version: number;
  readonly machine: string;
  readonly warehouse_id: string;
  readonly load_id: number;
  readonly tool_version: string;
  readonly schema_version: number;
  readonly contract_version: string;
  readonly content: ContentOption;
  readonly time_zone: string;
  readonly generated_at: string;
  /** Columns of each relation, in order, with their types. */
  readonly relations: Readonly<Record<string, Readonly<Record<string, ColumnType>>>>;
  readonly files: readonly LakeFile[];
}

export const MANIFEST_FOLDER = "manifest/";
const COLUMNS_ENDING = ".columns.json";

export function manifestPath(machine: string): string {
  return `${MANIFEST_FOLDER}${fileName(machine)}.json`;
}

/** Descriptions of all columns, for whoever reads the files without this program. */
export function columnsPath(machine: string): string {
  return `${MANIFEST_FOLDER}${fileName(machine)}${COLUMNS_ENDING}`;
}

export function isManifestPath(path: string): boolean {
  return path.startsWith(MANIFEST_FOLDER) && path.endsWith(".json") && !path.endsWith(COLUMNS_ENDING);
}

/** Reads a manifest. Throws `USAGE` for another file, `WAREHOUSE_NEWER` for one of a later program. */
export function parseManifest(text: string, place: string): Manifest {
  const value = parsed(text);
  if (typeof value !== "object" || value === null || !("kind" in value) || value.kind !== "piquet-manifest") {
    throw new PipelineError("USAGE", `${place} is not a manifest of piquet`);
  }
  // The rest of it is checked below, where its version says that this program knows its form.
  const manifest = value as Manifest;
  refuseNewer(place, "manifest", manifest.manifest_version, MANIFEST_VERSION);
  refuseNewer(place, "schema", manifest.schema_version, SCHEMA_VERSION);
  if (!hasSafeNames(manifest)) {
    throw new PipelineError("USAGE", `${place} names files or types that no lake of piquet has`);
  }
  return manifest;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** True where the two say the same, whenever they were made. */
export function isSameManifest(one: Manifest, other: Manifest): boolean {
  const timeless = (manifest: Manifest): string => JSON.stringify({ ...manifest, generated_at: "" });
  return timeless(one) === timeless(other);
}
