import type { Format, OutputColumn, OutputRow } from "./format.js";
import { cellText, cutToWidth, displayWidth, onOneLine } from "./text.js";

/** Widths follow the rows of the start, so that a long result need not be held in memory. */
const MEASURED_ROWS = 1_000;
const MAX_CELL_WIDTH = 60;

/** Columns in line for a person; long texts are cut. */
export const table: Format = (columns) => {
  let waiting: string[][] = [];
  let widths: readonly number[] | null = null;
  let rowCount = 0;

  const flush = (): string => {
    if (widths !== null) return "";
    widths = widthsOf(columns, waiting);
    const lines = [
      headLine(columns, widths),
      rule(widths),
      ...waiting.map((cells) => bodyLine(columns, cells, widths ?? [])),
    ];
    waiting = [];
    return lines.join("");
  };

  return {
    rows: (rows) => {
      rowCount += rows.length;
      const cells = rows.map((row) => cellsOf(columns, row));
      if (widths !== null) return cells.map((row) => bodyLine(columns, row, widths ?? [])).join("");
      waiting.push(...cells);
      return waiting.length > MEASURED_ROWS ? flush() : "";
    },
    end: () => `${flush()}(${rowCount} ${rowCount === 1 ? "row" : "rows"})\n`,
  };
};

function cellsOf(columns: readonly OutputColumn[], row: OutputRow): string[] {
  return columns.map((column, index) => cutToWidth(cellText(row[index] ?? null, column), MAX_CELL_WIDTH));
}

function widthsOf(columns: readonly OutputColumn[], rows: readonly string[][]): readonly number[] {
  return columns.map(({ name }, index) =>
    rows.reduce(
      (width, cells) => Math.max(width, displayWidth(cells[index] ?? "")),
      displayWidth(onOneLine(name)),
    ),
  );
}

function headLine(columns: readonly OutputColumn[], widths: readonly number[]): string {
  return bodyLine(
    columns,
    columns.map(({ name }) => onOneLine(name)),
    widths,
  );
}

function rule(widths: readonly number[]): string {
  return `${widths.map((width) => "-".repeat(width)).join("  ")}\n`;
}

function bodyLine(
  columns: readonly OutputColumn[],
  cells: readonly string[],
  widths: readonly number[],
): string {
  const padded = columns.map(({ isNumber }, index) => {
    const cell = cells[index] ?? "";
    const space = " ".repeat(Math.max(0, (widths[index] ?? 0) - displayWidth(cell)));
    return isNumber ? space + cell : cell + space;
  });
  return `${padded.join("  ").trimEnd()}\n`;
}
