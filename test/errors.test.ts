import { describe, expect, it } from "vitest";
import { PipelineError } from "../pipeline/errors.js";

describe("PipelineError", () => {
  it("carries the exit code of its kind and the error that caused it", () => {
    const cause = new Error("disk full");
    const error = new PipelineError("WAREHOUSE_LOCKED", "w.duckdb is in use", { cause });
    expect([error.exitCode, error.code, error.message, error.cause]).toEqual([
      5,
      "WAREHOUSE_LOCKED",
      "w.duckdb is in use",
      cause,
    ]);
  });
});
