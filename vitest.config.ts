import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // These need more than a plain install: `make test-container`, `make test-engines`.
    exclude: [...configDefaults.exclude, "test/container/**", "test/engines/**"],
    pool: "forks",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ["test/support/build-dist.ts"],
  },
});
