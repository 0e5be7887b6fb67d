// The real worker with faults of the world put in: what happens depends on the name of the file it opens.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { openSync, readSync, closeSync } = fs;
const paths = new Map();

function meetFault(path) {
  if (path.endsWith("exit.jsonl")) process.exit(7);
  if (path.endsWith("leave.jsonl")) process.exit(0);
  if (path.endsWith("stall.jsonl")) for (;;);
  if (path.endsWith("heap.jsonl")) {
    const hoard = [];
    for (;;) hoard.push(Array.from({ length: 1000 }, () => ({})));
  }
}

fs.openSync = (place, ...rest) => {
  // Newer versions of Node load modules through here, by URL.
  const path = String(place);
  if (!path.includes("late-")) meetFault(path);
  const fd = openSync(place, ...rest);
  paths.set(fd, path);
  return fd;
};

fs.readSync = (fd, buffer, at, length, position) => {
  const path = paths.get(fd) ?? "";
  if (position > 0 && path.includes("late-")) meetFault(path);
  if (position > 0 && path.endsWith("broken-disk.jsonl"))
    throw Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
  return readSync(fd, buffer, at, length, position);
};

fs.closeSync = (fd) => {
  paths.delete(fd);
  closeSync(fd);
};

const { parse } = JSON;
JSON.parse = (text) => {
  const value = parse(text);
  if (!text.includes("break the transform")) return value;
  const { content } = value.message;
  return (
    Object.defineProperty(value.message, "content", {
      get: () => {
        throw new TypeError(`no idea what ${content} means`);
      },
    }) && value
  );
};

syncBuiltinESMExports();

await import("../../dist/pipeline/extract-worker.js");
