import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "sql-formatter";

const isWrite = process.argv.includes("--write");
const options = JSON.parse(readFileSync(".sql-formatter.json", "utf8"));
const differing = [];

for (const name of readdirSync("sql", { recursive: true }).toSorted()) {
  if (!name.endsWith(".sql")) continue;
  const path = join("sql", name);
  const text = readFileSync(path, "utf8");
  const formatted = formattedText(text);
  if (formatted === null) {
    process.stderr.write(`cannot be read by the formatter: ${path}\n`);
    process.exitCode = 1;
    continue;
  }
  if (formatted === text) continue;
  differing.push(path);
  if (isWrite) writeFileSync(path, formatted);
}

for (const path of differing) process.stderr.write(`${isWrite ? "formatted" : "not formatted"}: ${path}\n`);
if (!isWrite && differing.length > 0) process.exitCode = 1;

/**
 * Null where the text is no SQL to the formatter; its own message lists the whole grammar. A `{slot}` is a name
 * of the same length to it.
 */
function formattedText(text) {
  try {
    const formatted = format(text.replaceAll(/\{(\w+)\}/g, "ø$1ø"), options);
    return `${formatted.replaceAll(/ø(\w+)ø/g, "{$1}")}\n`;
  } catch {
    return null;
  }
}
