import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/container/**/*.test.ts"],
    pool: "forks",
    // One engine, and each container loads with all cores.
    fileParallelism: false,
    testTimeout: 400_000,
    hookTimeout: 300_000,
    globalSetup: ["test/support/build-dist.ts", "test/container/support/find-engine.ts"],
  },
});
