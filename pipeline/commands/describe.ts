const LINE_WIDTH = 100;

export interface DescribedColumn {
  readonly name: string;
  readonly description: string;
  readonly type?: string;
}

/** Names with their descriptions beside them. */
export function listLines(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, text]) => hanging(name.padEnd(width), text)).join("");
}

export function columnLines(columns: readonly DescribedColumn[]): string {
  const typeWidth = Math.max(0, ...columns.map(({ type = "" }) => type.length));
  return listLines(
    columns.map(({ name, type, description }) => [
      `  ${name}`,
      type === undefined ? description : `${type.padEnd(typeWidth)}  ${description}`,
    ]),
  );
}

export function paragraph(text: string): string {
  return hanging("  ", text);
}

/** Text broken at blanks, its later lines under the first. */
function hanging(head: string, text: string): string {
  const lines: string[] = [];
  let line = head;
  let isEmpty = true;
  for (const word of text.split(" ")) {
    if (!isEmpty && line.length + 1 + word.length > LINE_WIDTH) {
      lines.push(line.trimEnd());
      line = " ".repeat(head.length);
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line.trimEnd(), ""].join("\n");
}
