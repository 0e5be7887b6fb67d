import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { PipelineError } from "../errors.js";

/** Most bytes of an archive, packed or not: it is unpacked in memory as a whole. */
const ARCHIVE_BYTES_MAX = 256 * 1024 * 1024;

const GZIP_MAGIC = Buffer.of(0x1f, 0x8b);

// A pipe without a writer would block the open for good; the flag does not exist on Windows.
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The bytes of a session file, unpacked where it is an archive. */
export interface ByteSource {
  /** As it was at the opening: a file that grows all the time must come to an end. */
  readonly size: number;
  /** SHA-1 of the bytes on disk where they are not those that are read. */
  readonly packedSha1: string | null;
  /** Answers how many bytes it read, fewer than asked for where the file has shrunk. */
  read(into: Buffer, at: number, length: number, position: number): number;
  close(): void;
}

/** Throws the system's errors, and a PipelineError where a file is not regular or no whole archive. */
export function openBytes(path: string): ByteSource {
  const fd = openSync(path, OPEN_FLAGS);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new PipelineError("FAILED", `cannot read ${path}: not a regular file`);
    if (!isArchive(fd)) return fileSource(fd, stats.size);
    const source = archiveSource(readPacked(fd, stats.size, path), path);
    closeSync(fd);
    return source;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function fileSource(fd: number, size: number): ByteSource {
  return {
    size,
    packedSha1: null,
    read: (into, at, length, position) => readSync(fd, into, at, length, position),
    close: () => closeSync(fd),
  };
}

/** By the bytes, whatever the name: no JSON begins so. */
function isArchive(fd: number): boolean {
  const start = Buffer.alloc(GZIP_MAGIC.length);
  return readSync(fd, start, 0, start.length, 0) === start.length && start.equals(GZIP_MAGIC);
}

function readPacked(fd: number, size: number, path: string): Buffer {
  if (size > ARCHIVE_BYTES_MAX) throw tooLarge(path);
  const packed = Buffer.allocUnsafeSlow(size);
  let end = 0;
  for (let read = -1; read !== 0 && end < size; end += read)
    read = readSync(fd, packed, end, size - end, end);
  return packed.subarray(0, end);
}

function archiveSource(packed: Buffer, path: string): ByteSource {
  const bytes = unpack(packed, path);
  return {
    size: bytes.length,
    packedSha1: createHash("sha1").update(packed).digest("hex"),
    read: (into, at, length, position) => bytes.copy(into, at, position, position + length),
    close: () => {},
  };
}

function unpack(packed: Buffer, path: string): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength: ARCHIVE_BYTES_MAX });
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(path);
    throw new PipelineError("FAILED", `cannot read ${path}: no whole gzip file: ${code}`, { cause });
  }
}

function tooLarge(path: string): PipelineError {
  return new PipelineError(
    "FAILED",
    `cannot read ${path}: an archive of more than ${ARCHIVE_BYTES_MAX} bytes`,
  );
}
