import { PipelineError } from "../errors.js";

export interface DescribedColumn {
  readonly name: string;
  readonly description: string;
}

/** What the comment at the top of a query says of its result. */
export interface SqlHeader {
  readonly description: string;
  /** Lines of the form `name: value`, a line that has no name goes on with the one before. */
  readonly fields: readonly DescribedColumn[];
  /** The text without the comment. */
  readonly query: string;
}

const FIELD = /^([a-z_0-9]+): +(.*)$/;

/** Splits a query file into its comment header (a paragraph of description, then fields) and the query. */
export function readHeader(text: string, path: string): SqlHeader {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("--"));
  const comment = lines.slice(0, end).map((line) => line.slice(2).trim());
  const blank = comment.indexOf("");
  const description = comment.slice(0, blank === -1 ? undefined : blank).join(" ");
  if (description === "") throw new PipelineError("FAILED", `${path} has no description`);

  return {
    description,
    fields: blank === -1 ? [] : readFields(comment.slice(blank)),
    query: lines.slice(end).join("\n").trim(),
  };
}

function readFields(lines: readonly string[]): DescribedColumn[] {
  const fields: DescribedColumn[] = [];
  for (const line of lines) {
    const match = FIELD.exec(line);
    const last = fields.at(-1);
    if (match !== null) fields.push({ name: match[1] ?? "", description: match[2] ?? "" });
    else if (line !== "" && last !== undefined) {
      fields[fields.length - 1] = { ...last, description: `${last.description} ${line}` };
    }
  }
  return fields;
}
