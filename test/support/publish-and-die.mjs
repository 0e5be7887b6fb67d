// Publishes a warehouse into a folder and kills itself without a word after so many steps: a draft that is
// written, a file put in its place, a text swapped, a file removed. Prints the number of steps where it lives.
import { dirname } from "node:path";

const [dbPath = "", folder = "", lastStep = ""] = process.argv.slice(2);
const { createLogger } = await import("../../dist/pipeline/log.js");
const { folderStore } = await import("../../dist/pipeline/publish/folder-store.js");
const { publishWarehouse } = await import("../../dist/pipeline/publish-warehouse.js");

let steps = 0;
function step() {
  steps += 1;
  if (steps === Number(lastStep)) process.kill(process.pid, "SIGKILL");
}

const store = folderStore(folder);
await publishWarehouse({
  dbPath,
  store: {
    ...store,
    finish: async (path, draftPath) => {
      step();
      await store.finish(path, draftPath);
      step();
    },
    writeText: async (path, text) => {
      await store.writeText(path, text);
      step();
    },
    remove: async (paths) => {
      for (const path of paths) {
        await store.remove([path]);
        step();
      }
    },
  },
  servingPath: null,
  content: "full",
  log: createLogger({ level: "error", isPlain: true, write: () => {} }),
  signal: new AbortController().signal,
  memoryLimitBytes: 2 ** 29,
  tempDir: dirname(dbPath),
});
process.stdout.write(`${steps}\n`);
