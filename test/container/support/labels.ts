/** Of every container of the tests, so that what a run leaves is found; with the name of the run where it has one. */
export const LABELS = { "org.testcontainers": "true", "piquet-test": process.env["PIQUET_TEST_RUN"] ?? "" };
