import { jsonText } from "../values.js";
import type { Format, OutputColumn, OutputRow, ResultWriter } from "./format.js";

/** An array of objects, a row a line. */
export const json: Format = (columns) => {
  let written = 0;
  return {
    rows: (rows) =>
      rows.map((row) => `${written++ === 0 ? "[\n" : ",\n"}${objectText(columns, row)}`).join(""),
    end: () => (written === 0 ? "[]\n" : "\n]\n"),
  };
};

/** An object a line. */
export const jsonl: Format = (columns): ResultWriter => ({
  rows: (rows) => rows.map((row) => `${objectText(columns, row)}\n`).join(""),
  end: () => "",
});

function objectText(columns: readonly OutputColumn[], row: OutputRow): string {
  const members = columns.map(
    ({ name, isFloat }, index) => `${JSON.stringify(name)}:${jsonText(row[index] ?? null, isFloat)}`,
  );
  return `{${members.join(",")}}`;
}
