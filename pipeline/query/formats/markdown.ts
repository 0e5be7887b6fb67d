import type { Format } from "./format.js";
import { cellText } from "./text.js";

/** A pipe table, as GitHub renders it. */
export const markdown: Format = (columns) => {
  const rule = columns.map(({ isNumber }) => (isNumber ? "---:" : "---"));
  let head = line(columns.map(({ name }) => escaped(name))) + line(rule);
  const takeHead = (): string => {
    const text = head;
    head = "";
    return text;
  };
  return {
    rows: (rows) =>
      takeHead() +
      rows
        .map((row) => line(columns.map((column, index) => escaped(cellText(row[index] ?? null, column)))))
        .join(""),
    end: takeHead,
  };
};

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\|<]/g, "\\$&");
}
