import { sep } from "node:path";
import type { ContentOption } from "../flow.js";
import type { Discovery, FoundFile } from "./discover.js";

/** A file as the warehouse remembers it, of this machine. */
export interface KnownFile {
  readonly path: string;
  readonly rootPath: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: string;
  readonly isPresent: boolean;
  readonly transformVersion: number;
  readonly content: string;
}

export interface PlanOptions {
  readonly isFull: boolean;
  readonly isVerify: boolean;
  readonly transformVersion: number;
  readonly content: ContentOption;
}

/** What a run has to do. Each found file is in one of the first four, each known file in one at most. */
export interface FilePlan {
  readonly toRead: readonly FoundFile[];
  /** To be read only where the hash of the bytes differs. Equal ones are unchanged, and back if they were gone. */
  readonly toVerify: readonly FoundFile[];
  readonly unchanged: number;
  /** Known as gone, found again as they were; not among `unchanged`. */
  readonly returned: readonly KnownFile[];
  readonly missing: readonly KnownFile[];
}

/**
 * Compares the files found with those known. Size and modification time say that a file changed; where only
 * its change time or inode differ (a copied or restored folder), its bytes have to. A difference in the
 * reading rules or the content option reads a file again.
 *
 * A known file that was not found is missing only where that is certain: below a root that was listed, that
 * is not empty though it held files, and below no folder that could not be read. An archive that was read
 * once stays as it is in runs that ask for none.
 */
export function planFiles(discovery: Discovery, known: readonly KnownFile[], options: PlanOptions): FilePlan {
  const knownByPath = new Map(known.map((file) => [file.path, file]));
  const toRead: FoundFile[] = [];
  const toVerify: FoundFile[] = [];
  const returned: KnownFile[] = [];
  let unchanged = 0;

  for (const file of discovery.files) {
    const before = knownByPath.get(file.path);
    if (before === undefined || mustRead(file, before, options)) toRead.push(file);
    else if (options.isVerify || isTouched(file, before)) toVerify.push(file);
    else if (before.isPresent) unchanged += 1;
    else returned.push(before);
  }
  return { toRead, toVerify, unchanged, returned, missing: missingFiles(discovery, known) };
}

function mustRead(file: FoundFile, before: KnownFile, options: PlanOptions): boolean {
  return (
    options.isFull ||
    file.sizeBytes !== before.sizeBytes ||
    file.mtimeMs !== before.mtimeMs ||
    before.transformVersion !== options.transformVersion ||
    before.content !== options.content
  );
}

function isTouched(file: FoundFile, before: KnownFile): boolean {
  return file.ctimeMs !== before.ctimeMs || file.inode !== before.inode;
}

function missingFiles(discovery: Discovery, known: readonly KnownFile[]): readonly KnownFile[] {
  const foundPaths = new Set(discovery.files.map((file) => file.path));
  const emptyOrUnlisted = discovery.listedRoots.filter((root) => root.hadError || root.fileCount === 0);
  const doubtful = [...emptyOrUnlisted, ...discovery.unreadable].map((place) => place.path);
  const certain = discovery.listedRoots.map((root) => root.path);
  return known.filter(
    (file) =>
      file.isPresent &&
      !foundPaths.has(file.path) &&
      !discovery.leftOut.has(file.path) &&
      certain.some((root) => file.rootPath === root || isBelow(file.path, root)) &&
      !doubtful.some((place) => file.rootPath === place || isBelow(file.path, place)),
  );
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
