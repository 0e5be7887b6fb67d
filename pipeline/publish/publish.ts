import type { DuckDBConnection } from "@duckdb/node-api";
import { SCHEMA_VERSION } from "../../schema/index.js";
import { PipelineError } from "../errors.js";
import type { ContentOption } from "../flow.js";
import {
  columnsPath,
  isSameManifest,
  type LakeFile,
  MANIFEST_VERSION,
  type Manifest,
  manifestPath,
  parseManifest,
} from "./manifest.js";
import { ownFiles, partName } from "./names.js";
import { type Part, partFolder, readParts } from "./parts.js";
import { closePublished, openPublished, type PackageView } from "./published-database.js";
import { type Relation, relationName, relationsOf } from "./relations.js";
import type { LakeStore } from "./store.js";
import { readFacts, type WarehouseFacts } from "./warehouse-facts.js";
import { writePart } from "./write-part.js";

export interface PublishOptions {
  readonly dbPath: string;
  readonly content: ContentOption;
  /** Views of the package in the order of creation. */
  readonly views: readonly PackageView[];
  readonly contractVersion: string;
  readonly toolVersion: string;
  readonly signal: AbortSignal;
  /** Told of each file when it is in its place. */
  readonly onFile?: (file: LakeFile) => void;
}

/** Outcome of a run, printed by `publish --json`. */
export interface PublishReport {
  readonly place: string;
  readonly machine: string;
  readonly load_id: number;
  readonly content: ContentOption;
  readonly files: {
    readonly total: number;
    readonly written: number;
    readonly unchanged: number;
    readonly removed: number;
  };
  readonly rows: number;
  readonly bytes: number;
  readonly bytes_written: number;
}

/** Parts of a lake that a run works on: what was there before, and what is there to be compared. */
interface Lake {
  readonly store: LakeStore;
  readonly facts: WarehouseFacts;
  readonly before: Manifest | null;
  /** Files on the store with their sizes, this machine's and others'. */
  readonly present: ReadonlyMap<string, number>;
}

/**
 * Writes what changed since the last run into the lake, its manifest last. The warehouse is attached to the
 * connection as `warehouse`, which is used again at the end. Throws `USAGE` where another warehouse has the
 * machine's name in this lake. A run that ends early leaves the lake as it was, but for files that no
 * manifest names; the next run removes them.
 */
export async function publishLake(
  connection: DuckDBConnection,
  store: LakeStore,
  options: PublishOptions,
): Promise<PublishReport> {
  const facts = await readFacts(connection, options.dbPath);
  const lake: Lake = {
    store,
    facts,
    before: await readBefore(store, facts),
    present: await listFiles(store),
  };
  const views = await openPublished(connection, options.content, options.views);
  try {
    const relations = relationsOf(views);
    const files: LakeFile[] = [];
    for (const relation of relations) {
      for (const part of await readParts(connection, relation)) {
        options.signal.throwIfAborted();
        files.push(keptFile(lake, part) ?? (await writeFile(connection, lake, part, options)));
      }
    }
    options.signal.throwIfAborted();
    await commit(lake, manifestOf(facts, relations, files, options), relations);
    const removed = await sweep(lake, files);
    return reportOf(lake, files, removed, options.content);
  } finally {
    await closePublished(connection);
  }
}

async function readBefore(store: LakeStore, facts: WarehouseFacts): Promise<Manifest | null> {
  const path = manifestPath(facts.machine);
  const text = await store.readText(path);
  if (text === null) return null;
  const place = `${store.place}/${path}`;
  const before = parseManifest(text, place);
  if (before.warehouse_id === facts.warehouseId) return before;
  throw new PipelineError(
    "USAGE",
    `${store.place} has files of another warehouse under the name ${facts.machine}; load with another --machine, or remove ${place} to replace them`,
  );
}

async function listFiles(store: LakeStore): Promise<Map<string, number>> {
  return new Map([...(await store.list("base/")), ...(await store.list("v1/"))]);
}

/** The file of an earlier run that holds the same rows in the same columns, and is still whole. */
function keptFile({ before, present }: Lake, { relation, month, fingerprint }: Part): LakeFile | null {
  const name = relationName(relation);
  const file = before?.files.find((candidate) => candidate.relation === name && candidate.month === month);
  const isSame =
    file?.fingerprint === fingerprint &&
    present.get(file.path) === file.bytes &&
    JSON.stringify(before?.relations[name]) === JSON.stringify(typesOf(relation));
  return file !== undefined && isSame ? file : null;
}

async function writeFile(
  connection: DuckDBConnection,
  { store, facts, present }: Lake,
  part: Part,
  options: PublishOptions,
): Promise<LakeFile> {
  const folder = partFolder(part);
  const path = folder + partName(facts.machine, facts.loadId, (name) => present.has(folder + name));
  const draftPath = store.draftPath(path);
  const written = await writePart(connection, part, draftPath, options);
  await store.finish(path, draftPath);
  const { month, rows, fingerprint } = part;
  const file: LakeFile = {
    path,
    relation: relationName(part.relation),
    month,
    rows,
    ...written,
    fingerprint,
    load_id: facts.loadId,
  };
  options.onFile?.(file);
  return file;
}

function manifestOf(
  facts: WarehouseFacts,
  relations: readonly Relation[],
  files: readonly LakeFile[],
  options: PublishOptions,
): Manifest {
  return {
    kind: "piquet-manifest",
    manifest_version: MANIFEST_VERSION,
    machine: facts.machine,
    warehouse_id: facts.warehouseId,
    load_id: facts.loadId,
    tool_version: options.toolVersion,
    schema_version: SCHEMA_VERSION,
    contract_version: options.contractVersion,
    content: options.content,
    time_zone: facts.timeZone,
    generated_at: new Date().toISOString(),
    relations: Object.fromEntries(relations.map((relation) => [relationName(relation), typesOf(relation)])),
    files,
  };
}

function typesOf(relation: Relation): Manifest["relations"][string] {
  return Object.fromEntries(relation.columns.map(({ name, type }) => [name, type]));
}

/** Columns first: with the manifest the run is done. */
async function commit(
  { store, facts, before }: Lake,
  manifest: Manifest,
  relations: readonly Relation[],
): Promise<void> {
  const columns = columnsText(relations);
  if ((await store.readText(columnsPath(facts.machine))) !== columns) {
    await store.writeText(columnsPath(facts.machine), columns);
  }
  if (before !== null && isSameManifest(before, manifest)) return;
  await store.writeText(manifestPath(facts.machine), `${JSON.stringify(manifest, null, 1)}\n`);
}

function columnsText(relations: readonly Relation[]): string {
  const described = relations.map((relation) => [
    relationName(relation),
    { description: relation.description, columns: relation.columns },
  ]);
  return `${JSON.stringify(Object.fromEntries(described), null, 1)}\n`;
}

/** Removes what this machine wrote in earlier runs and no longer names. Gives the number of files. */
async function sweep({ store, facts, present }: Lake, files: readonly LakeFile[]): Promise<number> {
  const named = new Set(files.map((file) => file.path));
  const isOwn = ownFiles(facts.machine);
  const stale = [...present.keys()].filter((path) => isOwn(path) && !named.has(path));
  await store.remove(stale);
  return stale.length;
}

function reportOf(
  { store, facts, present }: Lake,
  files: readonly LakeFile[],
  removed: number,
  content: ContentOption,
): PublishReport {
  const written = files.filter((file) => !present.has(file.path));
  const bytesOf = (some: readonly LakeFile[]): number => some.reduce((sum, file) => sum + file.bytes, 0);
  return {
    place: store.place,
    machine: facts.machine,
    load_id: facts.loadId,
    content,
    files: {
      total: files.length,
      written: written.length,
      unchanged: files.length - written.length,
      removed,
    },
    rows: files.reduce((sum, file) => sum + file.rows, 0),
    bytes: bytesOf(files),
    bytes_written: bytesOf(written),
  };
}
