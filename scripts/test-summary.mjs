// Prints the last line of a run of the tests, over all reports: `N passed, N failed`.
import { readFileSync } from "node:fs";

const counts = process.argv.slice(2).map(countsOf);
const sum = (name) => counts.reduce((total, count) => total + count[name], 0);
process.stdout.write(`${sum("passed")} passed, ${sum("failed")} failed\n`);

/**
 * A test file that does not even load has no tests, and counts as one that failed; so does a report that is not
 * there.
 */
function countsOf(path) {
  let result;
  try {
    result = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return { passed: 0, failed: 1 };
  }
  const broken = result.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((assertion) => assertion.status === "failed"),
  );
  return { passed: result.numPassedTests, failed: result.numFailedTests + broken.length };
}
