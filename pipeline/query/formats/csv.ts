import { plainText } from "../values.js";
import type { Format, OutputColumn, OutputRow } from "./format.js";

/** RFC 4180 with line feeds. NULL is an empty field, an empty text is `""`. */
export const csv: Format = (columns) => {
  let head = `${columns.map(({ name }) => field(name)).join(",")}\n`;
  const takeHead = (): string => {
    const text = head;
    head = "";
    return text;
  };
  return {
    rows: (rows) => takeHead() + rows.map((row) => line(columns, row)).join(""),
    end: takeHead,
  };
};

function line(columns: readonly OutputColumn[], row: OutputRow): string {
  const fields = columns.map(({ isFloat }, index) => {
    const value = row[index] ?? null;
    return value === null ? "" : field(plainText(value, isFloat));
  });
  return `${fields.join(",")}\n`;
}

function field(text: string): string {
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
