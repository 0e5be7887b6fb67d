import { warehousePath } from "../config.js";
import { EXIT_CHECK_FAILED, EXIT_OK } from "../errors.js";
import { readFlag } from "../settings.js";
import type { CheckResult } from "../views/run-checks.js";
import { type Command, type CommandContext, commonOptions } from "./command.js";
import { paragraph } from "./describe.js";

const SHOWN_ROWS = 3;

export const check: Command = {
  name: "check",
  summary: "check that a warehouse's numbers agree with each other and with Pi's own",
  positional: null,
  options: {
    db: commonOptions.db,
    quick: { kind: "flag", help: "leave out the checks that go through all rows more than once" },
    json: commonOptions.json,
  },
  examples: [
    ["piquet check", "every check; exit 3 when one fails"],
    ["piquet check --quick --json", "for a nightly job, after the load"],
  ],
  run: async (context) => {
    const results = await checkWarehouse(context);
    await context.print(
      readFlag(context.settings, "json")
        ? `${JSON.stringify(results.map(shownResult), null, 2)}\n`
        : results.map(resultText).join(""),
    );
    return results.some((result) => result.rowCount > 0) ? EXIT_CHECK_FAILED : EXIT_OK;
  },
};

async function checkWarehouse({ settings, world, signal }: CommandContext): Promise<CheckResult[]> {
  const { openWarehouse } = await import("../query/open-warehouse.js");
  const { runChecks } = await import("../views/run-checks.js");
  const warehouse = await openWarehouse({
    dbPath: warehousePath(settings, world),
    isUnsafe: false,
    allowedPaths: [],
    memoryLimitBytes: world.memoryBytes / 2,
    tempDir: world.tempDir,
  });
  const interrupt = (): void => warehouse.connection.interrupt();
  signal.addEventListener("abort", interrupt);
  try {
    return await runChecks(warehouse.connection, { onlyCheap: readFlag(settings, "quick") });
  } finally {
    signal.removeEventListener("abort", interrupt);
    warehouse.close();
  }
}

function shownResult({ name, description, severity, rowCount, rows }: CheckResult): object {
  return { name, description, severity, row_count: rowCount, rows };
}

function resultText(result: CheckResult): string {
  if (result.rowCount === 0) return `ok      ${result.name}\n`;
  const shown = result.rows.slice(0, SHOWN_ROWS).map((row) => `    ${JSON.stringify(row)}\n`);
  const rest = result.rowCount > shown.length ? `    and ${result.rowCount - shown.length} more\n` : "";
  return `FAILED  ${result.name}\n${paragraph(result.description)}${shown.join("")}${rest}`;
}
