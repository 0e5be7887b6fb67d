import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { PipelineError } from "../errors.js";

/** A file that is written beside its name and takes it when it is whole. */
export interface OutputFile {
  readonly path: string;
  /** Where to write meanwhile, for a writer that opens files itself. */
  readonly writePath: string;
  readonly write: (text: string) => Promise<void>;
  readonly keep: () => void;
  readonly discard: () => void;
}

/** Throws `USAGE` where the folder does not exist. What is no regular file, as a pipe, is written directly. */
export function openOutputFile(path: string): OutputFile {
  if (!existsSync(dirname(path))) throw new PipelineError("USAGE", `no such folder: ${dirname(path)}`);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) throw new PipelineError("USAGE", `${path} is a folder`);
  const isDirect = stats !== undefined && !stats.isFile();
  const writePath = isDirect ? path : `${path}.${process.pid}.part`;
  let file: number | null = null;
  const close = (): void => {
    if (file !== null) closeSync(file);
    file = null;
  };
  return {
    path,
    writePath,
    write: async (text) => {
      file ??= openSync(writePath, "w");
      writeWhole(file, Buffer.from(text));
    },
    keep: () => {
      close();
      if (!isDirect) renameSync(writePath, path);
    },
    discard: () => {
      close();
      if (!isDirect) rmSync(writePath, { force: true });
    },
  };
}

function writeWhole(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}
