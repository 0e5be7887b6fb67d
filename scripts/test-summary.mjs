// Prints the last line of a run of the tests: `N passed, N failed`.
import { readFileSync } from "node:fs";

process.stdout.write(`${summary(process.argv[2] ?? "")}\n`);

/** A test file that does not even load has no tests, and counts as one that failed. */
function summary(path) {
  let result;
  try {
    result = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return "0 passed, 1 failed";
  }
  const broken = result.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((assertion) => assertion.status === "failed"),
  );
  return `${result.numPassedTests} passed, ${result.numFailedTests + broken.length} failed`;
}
