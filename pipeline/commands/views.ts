import { EXIT_OK, PipelineError } from "../errors.js";
import { readFlag } from "../settings.js";
import { type Command, commonOptions } from "./command.js";
import { columnLines, listLines, paragraph } from "./describe.js";

export const views: Command = {
  name: "views",
  summary: "what can be asked: the public views, with their columns",
  positional: { name: "name", help: "one view, as spend_daily [all of v1]", isMany: false },
  options: { json: commonOptions.json },
  examples: [
    ["piquet views", "all views, a line each"],
    ["piquet views spend_daily", "one view with its columns"],
  ],
  run: async (context) => {
    const { readViews } = await import("../views/read-views.js");
    const all = readViews();
    const [name] = context.positionals;
    const chosen = all.filter((view) =>
      name === undefined ? view.schema === "v1" : [view.name, `${view.schema}.${view.name}`].includes(name),
    );
    if (name !== undefined && chosen.length === 0) {
      throw new PipelineError("USAGE", `there is no view ${name}; \`piquet views\` lists them`);
    }
    await context.print(
      readFlag(context.settings, "json") ? jsonOf(chosen) : textOf(chosen, name === undefined),
    );
    return EXIT_OK;
  },
};

interface DescribedView {
  readonly schema: string;
  readonly name: string;
  readonly description: string;
  readonly grain: readonly string[];
  readonly columns: readonly { readonly name: string; readonly description: string }[];
}

function jsonOf(chosen: readonly DescribedView[]): string {
  const shown = chosen.map(({ schema, name, description, grain, columns }) => ({
    schema,
    name,
    description,
    grain,
    columns,
  }));
  return `${JSON.stringify(shown, null, 2)}\n`;
}

function textOf(chosen: readonly DescribedView[], isList: boolean): string {
  if (isList) return listLines(chosen.map((view) => [view.name, firstSentence(view.description)]));
  return chosen
    .map(
      (view) =>
        `${view.schema}.${view.name}\n\n${paragraph(view.description)}\n  one row per ${view.grain.join(", ")}\n\n${columnLines(view.columns)}`,
    )
    .join("\n");
}

function firstSentence(text: string): string {
  return /^.*?\.(?= |$)/s.exec(text)?.[0] ?? text;
}
