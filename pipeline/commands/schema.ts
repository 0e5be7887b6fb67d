import { tableList } from "../../schema/index.js";
import type { Table } from "../../schema/table.js";
import { EXIT_OK, PipelineError } from "../errors.js";
import { readFlag } from "../settings.js";
import { type Command, commonOptions } from "./command.js";
import { columnLines, listLines, paragraph } from "./describe.js";

export const schema: Command = {
  name: "schema",
  summary: "the data dictionary: the tables behind the views",
  positional: { name: "table", help: "one table, as usage [all]", isMany: false },
  options: { json: commonOptions.json },
  examples: [
    ["piquet schema", "all tables, a line each"],
    ["piquet schema usage", "one table with its columns"],
  ],
  run: async (context) => {
    const [name] = context.positionals;
    const chosen = tableList().filter(
      (table) => name === undefined || [table.name, `base.${table.name}`].includes(name),
    );
    if (chosen.length === 0) {
      throw new PipelineError("USAGE", `there is no table ${name}; \`piquet schema\` lists them`);
    }
    await context.print(
      readFlag(context.settings, "json") ? jsonOf(chosen) : textOf(chosen, name === undefined),
    );
    return EXIT_OK;
  },
};

function jsonOf(chosen: readonly Table[]): string {
  const shown = chosen.map(({ name, description, key, columns }) => ({
    schema: "base",
    name,
    description,
    key,
    columns: Object.entries(columns).map(
      ([column, { type, isNullable, class: columnClass, description: text }]) => ({
        name: column,
        type,
        is_nullable: isNullable,
        class: columnClass,
        description: text,
      }),
    ),
  }));
  return `${JSON.stringify(shown, null, 2)}\n`;
}

function textOf(chosen: readonly Table[], isList: boolean): string {
  if (isList) return listLines(chosen.map((table) => [`base.${table.name}`, table.description]));
  return chosen
    .map(({ name, description, key, columns }) => {
      const described = Object.entries(columns).map(([column, { type, isNullable, description: text }]) => ({
        name: column,
        description: text,
        type: isNullable ? type : `${type} not null`,
      }));
      return `base.${name}\n\n${paragraph(description)}\n  one row per ${key.join(", ")}\n\n${columnLines(described)}`;
    })
    .join("\n");
}
