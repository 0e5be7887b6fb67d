import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/engines/**/*.engine.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    globalSetup: ["test/support/build-dist.ts"],
  },
});
