import type { Table } from "./table.js";

export interface DictionaryView {
  readonly schema: string;
  readonly name: string;
  readonly topic: string;
  readonly description: string;
  readonly grain: readonly string[];
  readonly columns: readonly { readonly name: string; readonly type: string; readonly description: string }[];
}

/** Lines of the entity diagram: one `sessions` has many `entries`, and so on. */
const RELATIONS = [
  ["files", "||--o|", "sessions", "holds"],
  ["files", "||--o{", "rejects", "has bad lines"],
  ["sessions", "||--o{", "entries", "has"],
  ["sessions", "|o--o{", "sessions", "is parent of"],
  ["entries", "|o--o{", "entries", "is parent of"],
  ["entries", "||--o|", "messages", "says"],
  ["entries", "||--o{", "tool_calls", "makes"],
  ["entries", "||--o{", "usage", "carries"],
  ["loads", "||--o{", "files", "read"],
] as const;

/** The data dictionary as Markdown: public views first, then the tables behind them with their diagram. */
export function dictionary(tables: readonly Table[], views: readonly DictionaryView[]): string {
  return [
    "# Data dictionary",
    "",
    "Written by `npm run docs` from `schema/` and from the headers of `sql/v1/`.",
    "",
    "`v1` is the public contract: within it only new views, and new columns at the end of a view, appear. `base`",
    "is private and may change with any release; `piquet schema` shows the tables of the release at hand.",
    "",
    "## Views (`v1`)",
    "",
    ...viewList(views),
    ...views.flatMap(viewSection),
    "## Tables (`base`)",
    "",
    ...diagram(tables),
    ...tables.flatMap(tableSection),
  ].join("\n");
}

function viewList(views: readonly DictionaryView[]): string[] {
  const rows = views.map((view) => [`[\`${view.name}\`](#v1${view.name})`, view.topic, code(view.grain)]);
  return [...markdownTable(["view", "topic", "one row per"], rows), ""];
}

function viewSection(view: DictionaryView): string[] {
  const rows = view.columns.map((column) => [`\`${column.name}\``, column.type, column.description]);
  return [
    `### ${view.schema}.${view.name}`,
    "",
    view.description,
    "",
    `One row per ${code(view.grain)}.`,
    "",
    ...markdownTable(["column", "type", "what it is"], rows),
    "",
  ];
}

function tableSection(table: Table): string[] {
  const rows = Object.entries(table.columns).map(([name, column]) => [
    `\`${name}\``,
    column.isNullable ? column.type : `${column.type} not null`,
    column.class,
    column.description,
  ]);
  return [
    `### base.${table.name}`,
    "",
    table.description,
    "",
    `One row per ${code(table.key)}.`,
    "",
    ...markdownTable(["column", "type", "class", "what it is"], rows),
    "",
  ];
}

function diagram(tables: readonly Table[]): string[] {
  return [
    "```mermaid",
    "erDiagram",
    ...RELATIONS.map(([from, line, to, word]) => `  ${from} ${line} ${to} : "${word}"`),
    ...tables.flatMap((table) => [
      `  ${table.name} {`,
      ...table.key.map((name) => `    ${diagramType(table, name)} ${name} PK`),
      "  }",
    ]),
    "```",
    "",
  ];
}

function diagramType(table: Table, column: string): string {
  return (table.columns[column]?.type ?? "varchar").replaceAll(/\W/g, "_");
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [markdownLine(head), markdownLine(head.map(() => "---")), ...rows.map(markdownLine)];
}

function markdownLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function code(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
