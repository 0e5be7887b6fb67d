import { tableList } from "../../schema/index.js";
import type { ColumnType, Table } from "../../schema/table.js";

export interface RelationColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly description: string;
}

/** A table or view that is published. */
export interface Relation {
  readonly schema: "base" | "v1";
  readonly name: string;
  readonly description: string;
  readonly columns: readonly RelationColumn[];
  /** Instant that gives the month of a row's file; null where all rows are in one. */
  readonly timeColumn: string | null;
  /** Expressions that rows are sorted by: day, project, session, then what makes the order total. */
  readonly order: readonly string[];
  /** True where the project is in the sessions, to which rows have to be joined to be sorted. */
  readonly isSortedBySession: boolean;
  /** True where values can be long, so that fewer rows fit into memory. */
  readonly hasLongText: boolean;
}

/** A public view as its file describes it. */
export interface PublicView {
  readonly name: string;
  readonly description: string;
  readonly grain: readonly string[];
  readonly columns: readonly RelationColumn[];
}

/**
 * Views whose results are published, because those of several machines stand side by side: rows of one
 * session, or counts and sums that add up. Shares, percentiles and distinct counts over all machines do not;
 * those views are worked out from `base`.
 */
export const PUBLISHED_VIEWS: ReadonlySet<string> = new Set([
  "spend_daily",
  "spend_by_session",
  "sessions",
  "branches",
  "failed_requests",
  "failure_rate_daily",
  "tool_usage",
  "skill_usage",
  "unpriced_usage",
  "data_quality",
]);

const DAY_COLUMNS = ["spent_on", "occurred_on"];

export function relationsOf(views: readonly PublicView[]): readonly Relation[] {
  return [
    ...tableList().map(tableRelation),
    ...views.filter((view) => PUBLISHED_VIEWS.has(view.name)).map(viewRelation),
  ];
}

function tableRelation(table: Table): Relation {
  const columns = Object.entries(table.columns).map(([name, { type, description }]) => ({
    name,
    type,
    description,
  }));
  const isSortedBySession = table.timeColumn !== null;
  const project = "project_path" in table.columns ? ["project_path"] : [];
  return {
    schema: "base",
    name: table.name,
    description: table.description,
    columns,
    timeColumn: table.timeColumn,
    order: [
      ...dayOf(columns, table.timeColumn ?? "started_at"),
      ...(isSortedBySession ? ["sessions.project_path"] : project),
      ...table.key,
    ],
    isSortedBySession,
    hasLongText: Object.values(table.columns).some((column) => column.isLong),
  };
}

function viewRelation({ name, description, grain, columns }: PublicView): Relation {
  const project = columns.some((column) => column.name === "project_path") ? ["project_path"] : [];
  const order = [...dayOf(columns, "started_at"), ...project, ...grain];
  return {
    schema: "v1",
    name,
    description,
    columns,
    timeColumn: null,
    order: [...new Set(order)],
    isSortedBySession: false,
    hasLongText: false,
  };
}

function dayOf(columns: readonly RelationColumn[], timeColumn: string): string[] {
  const day = columns.find((column) => DAY_COLUMNS.includes(column.name));
  if (day !== undefined) return [day.name];
  return columns.some((column) => column.name === timeColumn) ? [`cast(${timeColumn} as date)`] : [];
}

export function relationName({ schema, name }: Pick<Relation, "schema" | "name">): string {
  return `${schema}.${name}`;
}
