import { DuckDBDecimalValue, type DuckDBValue } from "@duckdb/node-api";
import { plainText } from "../values.js";
import type { OutputColumn } from "./format.js";

/** A value for reading: on one line, decimals without the zeros that only their type adds. */
export function cellText(value: DuckDBValue, column: OutputColumn): string {
  const text = plainText(value, column.isFloat);
  return value instanceof DuckDBDecimalValue ? withoutTrailingZeros(text) : onOneLine(text);
}

/** Two places stay, since most decimals are money. */
function withoutTrailingZeros(text: string): string {
  return text.replace(/(\.\d\d\d*?)0+$/, "$1");
}

/** Text of sessions may hold sequences that steer a terminal. */
export function onOneLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (char) => {
    if (char === "\n") return "\\n";
    if (char === "\r") return "\\r";
    if (char === "\t") return "\\t";
    return `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const ZERO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Columns that a text takes in a terminal; near enough for scripts that are drawn double width. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const char of text) width += WIDE.test(char) ? 2 : ZERO_WIDTH.test(char) ? 0 : 1;
  return width;
}

/** Cuts a text to a width, the last column then a `…`. */
export function cutToWidth(text: string, maxWidth: number): string {
  if (displayWidth(text) <= maxWidth) return text;
  let cut = "";
  let width = 0;
  for (const char of text) {
    width += displayWidth(char);
    if (width > maxWidth - 1) break;
    cut += char;
  }
  return `${cut}…`;
}
