import { getContainerRuntimeClient } from "testcontainers";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Why no test of this kind can run here; empty where they can. */
    containerProblem: string;
  }
}

const IMAGES = ["PIQUET_TEST_IMAGE", "PIQUET_TEST_S3_IMAGE"];

/** Without an engine the tests skip, and say why; with `PIQUET_REQUIRE_CONTAINERS=1` that is a failure. */
export async function setup(project: TestProject): Promise<void> {
  const problem = await findProblem();
  if (problem !== "" && process.env["PIQUET_REQUIRE_CONTAINERS"] === "1") throw new Error(problem);
  if (problem !== "") process.stderr.write(`container tests are skipped: ${problem}\n`);
  project.provide("containerProblem", problem);
}

async function findProblem(): Promise<string> {
  const missing = IMAGES.filter((name) => !process.env[name]);
  if (missing.length > 0)
    return `${missing.join(" and ")} not set; \`make test-container\` builds the images`;
  try {
    await getContainerRuntimeClient();
    return "";
  } catch {
    return "neither Docker nor Podman answers here";
  }
}
