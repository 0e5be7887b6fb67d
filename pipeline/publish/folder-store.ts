import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { PipelineError } from "../errors.js";
import { UNFINISHED } from "./names.js";
import type { LakeStore } from "./store.js";

/** A lake in a folder, which is made where it is missing. Files appear by rename, after their bytes are on disk. */
export function folderStore(folder: string): LakeStore {
  if (statSync(folder, { throwIfNoEntry: false })?.isFile()) {
    throw new PipelineError("USAGE", `${folder} is a file, not a folder`);
  }
  const at = (path: string): string => join(folder, ...path.split("/"));
  return {
    place: folder,
    list: async (below) => listFiles(folder, at(below)),
    readText: async (path) => (existsSync(at(path)) ? readFileSync(at(path), "utf8") : null),
    writeText: async (path, text) => {
      makeFolder(dirname(at(path)));
      writeFileSync(at(path) + UNFINISHED, text);
      putInPlace(at(path) + UNFINISHED, at(path));
    },
    draftPath: (path) => {
      makeFolder(dirname(at(path)));
      return at(path) + UNFINISHED;
    },
    finish: async (path, draftPath) => putInPlace(draftPath, at(path)),
    remove: async (paths) => {
      for (const path of paths) rmSync(at(path), { force: true });
    },
    close: () => {},
  };
}

/** Makes a folder for its owner alone, with those above it. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "";
    throw new PipelineError("FAILED", `cannot make the folder ${folder}: ${reason}`, { cause });
  }
}

function listFiles(root: string, folder: string): Map<string, number> {
  if (!existsSync(folder)) return new Map();
  const files = new Map<string, number>();
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    // Another machine may remove its own files meanwhile.
    const stats = file.isFile() ? statSync(path, { throwIfNoEntry: false }) : undefined;
    if (stats !== undefined) files.set(relative(root, path).split(sep).join("/"), stats.size);
  }
  return files;
}

function putInPlace(draftPath: string, path: string): void {
  flush(draftPath);
  renameSync(draftPath, path);
  flush(dirname(path));
}

/** Ends when the bytes of a file, or the names in a folder, are on disk. */
export function flush(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
